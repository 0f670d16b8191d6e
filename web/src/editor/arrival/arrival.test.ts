import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { builtInComponents } from '../../../../src/components/built-in.ts'
import { resolveFields } from '../../../../src/flows/component/component.ts'
import { GALLERY } from '../../pages/flows/templates/gallery.ts'
import { SENDERS } from '../senders/senders.ts'
import { arrivedKeys } from './arrived-keys.ts'
import { nearestTemplate } from './nearest-template.ts'
import { offersFor } from './offers.ts'
import { senderOfRequest } from './sender-of-request.ts'

const ORDER = {
  order_id: 7,
  status: 'paid',
  total: 129.5,
  customer: { name: 'Ann', email: 'ann@example.com' },
  lines: [{ sku: 'A' }, { sku: 'B' }],
  gift: false
}

describe('what arrived', () => {
  it('is told by key, type and value, as templates reach it', () => {
    assert.deepEqual(
      arrivedKeys(ORDER).map(({ path, type, shown }) => `${path}: ${type} ${shown}`.trim()),
      [
        'order_id: number 7',
        'status: text paid',
        'total: number 129.5',
        'customer: object',
        'customer.name: text Ann',
        'customer.email: text ann@example.com',
        'lines: list of 2',
        'gift: yes or no false'
      ]
    )
    assert.deepEqual(arrivedKeys('text'), [])
  })

  it('offers what fits: a list, a kind, a total, an address, a text', () => {
    const offers = offersFor(ORDER)
    assert.deepEqual(
      offers.map(({ type }) => type),
      ['for-each', 'switch', 'if-else', 'send-email', 'parser']
    )
    assert.deepEqual(offers[0]!.fields, { list: 'lines' })
    assert.deepEqual(offers[1]!.fields, { value: '{status}', cases: ['paid'] })
    assert.equal(offers[2]!.fields.left, '{total}')
    assert.deepEqual(offers[3]!.fields, { to: '{customer.email}' })
    assert.deepEqual(
      offersFor([1, 2]).map(({ type }) => type),
      ['for-each']
    )
    assert.deepEqual(offersFor('nothing to see'), [])
  })

  it('offers fields that the components take', () => {
    for (const { type, fields } of offersFor(ORDER)) {
      const component = builtInComponents.find((one) => one.type === type)!
      assert.ok(component, type)
      for (const name of Object.keys(fields))
        assert.ok(component.fields?.[name] !== undefined, `${type}.${name}`)
      assert.doesNotThrow(() => resolveFields(component as never, fields as never), type)
    }
  })

  it('finds every template by its own sample', () => {
    for (const template of GALLERY) {
      const found = nearestTemplate(GALLERY, template.sample)
      if (found !== undefined) assert.deepEqual(found.sample, template.sample, template.id)
    }
    assert.equal(nearestTemplate(GALLERY, { quite: 1, another: 2 }), undefined)
  })
})

describe('who sent it', () => {
  const by = (headers: Record<string, string>, payload: unknown = {}) =>
    senderOfRequest({ headers, payload: payload as never })

  it('is told by its header, or a key of its own', () => {
    assert.equal(by({ 'stripe-signature': '[hidden]' })?.sender.name, 'Stripe')
    assert.equal(
      by({ 'x-github-event': 'push', 'x-hub-signature-256': 'sha256=[64 hex]' })?.sender.name,
      'GitHub'
    )
    assert.equal(by({}, { update_id: 1 })?.sender.name, 'Telegram')
    const meta = { object: 'whatsapp_business_account' }
    assert.match(by({ 'x-hub-signature-256': 'sha256=[64 hex]' }, meta)!.sender.name, /^Meta/)
    assert.equal(by({ 'user-agent': 'curl' }), undefined)
  })

  it('names senders of the list alone', () => {
    const names = new Set(SENDERS.map(({ name }) => name))
    for (const header of ['stripe-signature', 'x-gitlab-event', 'linear-signature', 'webhook-signature'])
      assert.ok(names.has(by({ [header]: '[hidden]' })!.sender.name), header)
  })

  it('of an unknown signer reads how it signs', () => {
    const known = by({ 'x-acme-signature': 'sha256=[64 hex]' })!
    assert.equal(known.by, 'x-acme-signature')
    assert.deepEqual(known.sender.fields, {
      auth: 'Signature',
      signature_scheme: 'HMAC',
      signature_header: 'x-acme-signature',
      signature_algorithm: 'sha256',
      signature_encoding: 'hex',
      signature_prefix: 'sha256='
    })
  })
})
