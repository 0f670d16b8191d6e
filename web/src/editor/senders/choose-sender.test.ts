import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { webhook } from '../../../../src/components/webhook/webhook.ts'
import { resolveFields } from '../../../../src/flows/component/component.ts'
import { readHmacRule } from '../../../../src/flows/webhook-signatures.ts'
import { applyCommand } from '../commands/apply-command.ts'
import { flowOf, node } from '../graph/flow.test-kit.ts'
import { findNode } from '../graph/flow.ts'
import { chooseSender, isSetFor, senderOf } from './choose-sender.ts'
import { SENDERS, type Sender } from './senders.ts'

const fields = webhook.fields!

function chosen(sender: Sender, before: Readonly<Record<string, string>> = {}) {
  const drawn = node('webhook-1', { type: 'webhook', fields: before })
  const after = applyCommand(flowOf([drawn]), chooseSender(drawn, sender))
  return findNode(after, 'webhook-1')!
}

const authOf = (set: ReturnType<typeof chosen>) => String(set.fields.auth)

describe('the list of senders', () => {
  it('is in the order of their names, and the documentation has each of them', () => {
    const names = SENDERS.map(({ name }) => name)
    assert.deepEqual(
      names,
      [...names].sort((a, b) => a.localeCompare(b))
    )
    const page = readFileSync(new URL('../../../../docs/senders.md', import.meta.url), 'utf8')
    for (const name of names) assert.ok(page.includes(`| ${name} |`), name)
  })

  for (const sender of SENDERS) {
    it(`fills fields that a Webhook takes: ${sender.name}`, () => {
      const set = chosen(sender)
      const values = resolveFields(webhook, set.fields as never)
      assert.deepEqual(webhook.check!(values as never), [])
      for (const [name, value] of Object.entries(sender.fields)) {
        const field = fields[name as keyof typeof fields]
        assert.ok(field !== undefined, name)
        if (field.kind === 'choice') assert.ok((field.choices as readonly string[]).includes(value), value)
      }
      if (values.signature_scheme === 'HMAC') assert.ok(readHmacRule(values) !== null)
      assert.equal(sender.secret === undefined, sender.fields.auth === 'None')
    })
  }
})

describe('a sender that was chosen', () => {
  it('is known again by the fields, and no other is taken for it', () => {
    for (const sender of SENDERS) {
      const set = chosen(sender)
      assert.ok(isSetFor(sender, set, authOf(set), fields), sender.name)
      const known = senderOf(set, authOf(set), fields)
      assert.equal(known?.name, sender.name === 'PayPal' ? undefined : sender.name)
    }
  })

  it('is known where people changed what does not tell it', () => {
    const stripe = SENDERS.find(({ name }) => name === 'Stripe')!
    const set = chosen(stripe)
    const changed = { ...set, fields: { ...set.fields, deduplicate_by: '{data.id}', rate_limit: 5 } }
    assert.equal(senderOf(changed, 'Signature', fields), stripe)
    assert.equal(
      senderOf({ fields: { signature_scheme: 'Stripe' } }, 'Signature', fields),
      stripe,
      'by the context'
    )
    assert.equal(senderOf(set, 'API key', fields), undefined)
    assert.equal(senderOf({ fields: {} }, 'None', fields), undefined)
  })

  it('takes the place of another one, and leaves the secret and the limits', () => {
    const kept = { connection: 'shop', rate_limit: '7' }
    const before = {
      ...kept,
      auth: 'Signature',
      signature_scheme: 'HMAC',
      signature_header: 'x',
      handshake: 'Slack'
    }
    const github = SENDERS.find(({ name }) => name === 'GitHub')!
    assert.deepEqual(chosen(github, before).fields, {
      ...kept,
      auth: 'Signature',
      signature_scheme: 'GitHub'
    })
  })
})
