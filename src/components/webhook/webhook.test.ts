import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { resolveFields } from '../../flows/component/component.ts'
import { runStep } from '../step.test-kit.ts'
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
    assert.deepEqual(webhook.fields!.auth.choices, ['API key', 'Signature', 'Token', 'Basic', 'None'])
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

  it('takes a rule of HMAC that is whole: it is of the body, in a header that has a name', () => {
    const by = (fields: Partial<Values>) =>
      faultsOf({ auth: 'Signature', signature_scheme: 'HMAC', signature_header: 'x-sign', ...fields })
    assert.deepEqual(by({}), [])
    assert.deepEqual(
      by({ signed_text: 'v1:{header:x-time}:{method}{url}{body}', timestamp_header: 'x-time' }),
      []
    )
    const fieldOf = (fields: Partial<Values>) => by(fields).map(({ field }) => field)
    assert.deepEqual(fieldOf({ signature_header: '' }), ['signature_header'])
    assert.deepEqual(fieldOf({ signature_header: 'x sign' }), ['signature_header'])
    assert.deepEqual(fieldOf({ timestamp_header: 'a:b' }), ['timestamp_header'])
    assert.match(by({ signed_text: '{header:x-time}' })[0]!.message, /does not hold \{body\}/)
    assert.match(by({ signed_text: '{timestamp}.{body}' })[0]!.message, /^\{timestamp\} is not known here/)
    assert.deepEqual(faultsOf({ auth: 'Signature', signature_scheme: 'GitHub', signed_text: '' }), [])
  })

  it('takes the header of a token and the name of a user only as they can come', () => {
    const fieldOf = (fields: Partial<Values>) => faultsOf(fields).map(({ field }) => field)
    assert.deepEqual(fieldOf({ auth: 'Token' }), [])
    assert.deepEqual(fieldOf({ auth: 'Token', token_header: '' }), ['token_header'])
    assert.deepEqual(fieldOf({ auth: 'Basic', basic_user: 'shop' }), [])
    for (const basic_user of ['', 'a:b'])
      assert.deepEqual(fieldOf({ auth: 'Basic', basic_user }), ['basic_user'])
    assert.deepEqual(fieldOf({ auth: 'None', token_header: '', basic_user: 'a:b' }), [])
  })

  it('does not look at a secret that is not used', () => {
    assert.deepEqual(faultsOf({ auth: 'None', signing_secret: 'whsec_' }), [])
  })

  it('lets a secret be set later: without one every signed request is refused', () => {
    assert.deepEqual(faultsOf({ auth: 'Signature', signing_secret: '' }), [])
  })
})
