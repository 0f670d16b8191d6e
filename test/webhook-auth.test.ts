import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { problemOf } from './support/api-client.ts'
import { makeContext } from './support/contexts.ts'
import { anythingFlow } from './support/documents.ts'
import { serviceOfFile, shiftedClock, startService } from './support/service.ts'

const shared = serviceOfFile()

describe("the Webhook's auth", () => {
  it('None asks for nothing', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow({ auth: 'None' }))
    for (const key of [null, 'wrong', service.key]) {
      assert.equal((await service.webhook(slug, '{}', { key })).status, 202)
    }
  })

  it('Signature takes what is signed with the secret, and nothing else', async (t) => {
    const { clock, advance } = shiftedClock()
    const service = await startService(t, { clock })
    const secret = Buffer.from('a secret of some length').toString('base64')
    const fields = { auth: 'Signature', signing_secret: `whsec_${secret}` }
    const { slug } = await service.createFlow(anythingFlow(fields))
    const body = '{"n":12345678901234567890}'
    const timestamp = String(Math.floor(clock.now() / 1000))
    const signature = createHmac('sha256', Buffer.from(secret, 'base64'))
      .update(`msg_1.${timestamp}.${body}`)
      .digest('base64')
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,AAAA v1,${signature}`
    }
    const run = await service.run(slug, body, { key: null, headers })
    assert.equal(run.status, 'succeeded')
    const absent = await service.webhook('absent', body, { key: null })
    const refused = [
      await service.webhook(slug, body, { key: null }),
      await service.webhook(slug, `${body} `, { key: null, headers }),
      await service.webhook(slug, body, { key: null, headers: { ...headers, 'webhook-id': 'msg_2' } })
    ]
    advance(301_000)
    refused.push(await service.webhook(slug, body, { key: null, headers }))
    for (const answer of refused) {
      problemOf(answer, 401, 'unauthorized')
      assert.equal(answer.text, absent.text)
    }
  })

  it('Signature tells who holds a key that sees the flow what is wrong, and nobody else', async (t) => {
    const { clock, advance } = shiftedClock()
    const service = await startService(t, { clock })
    const { slug } = await service.createFlow(
      anythingFlow({ auth: 'Signature', signature_scheme: 'Slack', signing_secret: 'shared-by-both-of-us' })
    )
    const other = await service.createFlow(anythingFlow({}))
    const blind = await service.createKey({ rights: ['read', 'trigger'], flow: other.slug })
    const timestamp = String(Math.floor(clock.now() / 1000))
    const digest = createHmac('sha256', 'shared-by-both-of-us').update(`v0:${timestamp}:{}`).digest('hex')
    const headers = { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${digest}` }
    const wrong = { ...headers, 'x-slack-signature': 'v0=00' }
    const detailOf = async (sent: Record<string, string>) =>
      problemOf(await service.webhook(slug, '{}', { headers: sent }), 401, 'signature_invalid').detail
    assert.match(await detailOf({}), /sends no signature.*Slack.*x-slack-signature/)
    assert.match(await detailOf(wrong), /was not made with the secret/)
    assert.equal((await service.webhook(slug, '{}', { headers })).status, 202)
    const authorization = `Bearer ${service.key}`
    const byBearer = await service.webhook(slug, '{}', { key: null, headers: { ...wrong, authorization } })
    problemOf(byBearer, 401, 'signature_invalid')
    for (const sent of [{}, wrong]) {
      problemOf(await service.webhook(slug, '{}', { key: null, headers: sent }), 401, 'unauthorized')
      problemOf(await service.webhook(slug, '{}', { key: 'wrong', headers: sent }), 401, 'unauthorized')
      problemOf(await service.webhook(slug, '{}', { key: blind.key, headers: sent }), 404, 'flow_not_found')
    }
    advance(301_000)
    // The clock goes on meanwhile, and may be in the next second.
    assert.match(await detailOf(headers), /30[1-9] s from the time here/)
  })

  it('Signature knows the ways of GitHub, Stripe and Slack', async (t) => {
    const service = await shared(t)
    const body = '{"a":1}'
    const now = String(Math.floor(Date.now() / 1000))
    const hex = (text: string) => createHmac('sha256', 'shared-by-both-of-us').update(text).digest('hex')
    const signed: [scheme: string, headers: Record<string, string>][] = [
      ['GitHub', { 'x-hub-signature-256': `sha256=${hex(body)}` }],
      ['Stripe', { 'stripe-signature': `t=${now},v1=${hex(`${now}.${body}`)},v0=ignored` }],
      ['Slack', { 'x-slack-request-timestamp': now, 'x-slack-signature': `v0=${hex(`v0:${now}:${body}`)}` }]
    ]
    for (const [signature_scheme, headers] of signed) {
      const fields = { auth: 'Signature', signature_scheme, signing_secret: 'shared-by-both-of-us' }
      const { slug } = await service.createFlow(anythingFlow(fields))
      const good = await service.webhook(slug, body, { key: null, headers })
      assert.equal(good.status, 202, `${signature_scheme}: ${good.text}`)
      problemOf(await service.webhook(slug, '{"a":2}', { key: null, headers }), 401, 'unauthorized')
    }
  })

  it('Signature tells who sends no good one nothing of the flow, not even by the size of the body', async (t) => {
    const service = await startService(t, { env: { MILLRACE_BODY_LIMIT: '1kb' } })
    const large = 'x'.repeat(2_000)
    const absent = await service.webhook('absent', large, { key: null })
    const schemes = {
      'Standard Webhooks': 'webhook-signature',
      GitHub: 'x-hub-signature-256',
      Stripe: 'stripe-signature',
      Slack: 'x-slack-signature'
    }
    for (const [signature_scheme, header] of Object.entries(schemes)) {
      const fields = { auth: 'Signature', signature_scheme, signing_secret: 'c2hhcmVkLWJ5LWJvdGg=' }
      const { slug } = await service.createFlow(anythingFlow(fields))
      const unsigned = await service.webhook(slug, large, { key: null })
      problemOf(unsigned, 401, 'unauthorized')
      assert.equal(unsigned.text, absent.text)
      const signed = await service.webhook(slug, large, { key: null, headers: { [header]: 'v1' } })
      problemOf(signed, 401, 'unauthorized')
      assert.equal(signed.text, absent.text)
      assert.equal(signed.headers.get('connection'), absent.headers.get('connection'))
      const withKey = await service.webhook(slug, large, { headers: { [header]: 'v1' } })
      problemOf(withKey, 413, 'body_too_large')
    }
  })

  it('Signature without a secret cannot be saved; where a context asks for it, it takes nothing', async (t) => {
    const service = await shared(t)
    const unsaved = await service.post('/api/v1/flows', anythingFlow({ auth: 'Signature' }))
    const [fault] = problemOf(unsaved, 422, 'flow_invalid').errors!
    assert.deepEqual([fault!.code, fault!.field], ['weak_secret', 'signing_secret'])
    await makeContext(service, '/signed', { default_auth: 'Signature' })
    const { slug } = await service.createFlow({
      ...anythingFlow({ signature_scheme: 'GitHub' }),
      context: '/signed'
    })
    const headers = { 'x-hub-signature-256': `sha256=${createHmac('sha256', '').update('{}').digest('hex')}` }
    problemOf(await service.webhook(slug, '{}', { key: null, headers }), 401, 'unauthorized')
  })
})
