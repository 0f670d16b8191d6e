import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { resolveFields } from '../flows/component/component.ts'
import { runStep } from './step.test-kit.ts'
import { webhook } from './webhook.ts'

type Values = Parameters<NonNullable<typeof webhook.check>>[0]

function faultsOf(fields: Partial<Values>) {
  return webhook.check!({ ...(resolveFields(webhook, {}) as unknown as Values), ...fields })
}

describe('the Webhook', () => {
  it('gives the payload as it was sent, the very same value', () => {
    const input = { order_id: 7 }
    assert.equal(runStep(webhook, { input }).outputs.data, input)
    for (const payload of [null, 5, 'text', [1]]) {
      assert.deepEqual(runStep(webhook, { input: payload }).outputs.data, payload)
    }
  })

  it('gives the facts of the request, or nothing for a run that no request started', () => {
    const request = {
      method: 'POST',
      headers: { 'user-agent': 'x' },
      query: { a: '1' },
      address: '127.0.0.1'
    }
    assert.equal(runStep(webhook, { request }).outputs.request, request)
    assert.equal(runStep(webhook, {}).outputs.request, null)
  })

  it('asks for an API key unless told otherwise', () => {
    const { auth, rate_limit, concurrency } = resolveFields(webhook, {})
    assert.deepEqual([auth, rate_limit, concurrency], ['API key', 0, 0])
    assert.deepEqual(webhook.fields!.auth.choices, ['API key', 'Signature', 'None'])
  })

  it('shows its endpoint to copy, and hides its curl command until Controls', () => {
    const { endpoint, curl } = webhook.fields!
    assert.deepEqual([endpoint.title, endpoint.copy, endpoint.readonly], ['Endpoint', true, true])
    assert.deepEqual([curl.title, curl.hidden], ['curl', true])
  })

  it('takes a template for what names a delivery, and one that reads the payload', () => {
    const by = (deduplicate_by: string) => faultsOf({ deduplicate_by })
    assert.deepEqual([by(''), by('{id}'), by('{$region}-{id}')], [[], [], []])
    assert.deepEqual(
      [by('{id')[0]!.field, by('{id')[0]!.code, by('{id')[0]!.column],
      ['deduplicate_by', 'template_syntax', 1]
    )
    for (const fixed of ['all', '{$region}'])
      assert.match(by(fixed)[0]!.message, /reads nothing of the payload/)
  })

  it('takes no wires and starts runs', () => {
    assert.deepEqual([webhook.inputs, webhook.trigger, webhook.effects], [undefined, 'webhook', 'pure'])
  })

  it('refuses a signing secret that was pasted wrong', () => {
    const secret = (signing_secret: string) => faultsOf({ auth: 'Signature', signing_secret })
    assert.deepEqual(secret('whsec_{$secret}'), [], 'what a variable holds is not known yet')
    assert.match(secret('whsec_not base64!')[0]!.message, /not base64\. Paste it as the sender shows it/)
    assert.equal(secret('whsec_')[0]!.field, 'signing_secret')
    assert.deepEqual(secret('whsec_c2VjcmV0'), [])
  })

  it('refuses a secret of Standard Webhooks that holds no key at all: anyone could sign with that', () => {
    assert.equal(faultsOf({ auth: 'Signature', signing_secret: '****' }).length, 1)
    assert.deepEqual(faultsOf({ auth: 'Signature', signature_scheme: 'GitHub', signing_secret: '****' }), [])
  })

  it('does not look at a secret that is not used', () => {
    assert.deepEqual(faultsOf({ auth: 'None', signing_secret: 'whsec_' }), [])
  })

  it('lets a secret be set later: without one every signed request is refused', () => {
    assert.deepEqual(faultsOf({ auth: 'Signature', signing_secret: '' }), [])
  })
})
