import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { systemClock } from '../src/clock.ts'
import { type Answer, type ApiClient, problemOf } from './support/api-client.ts'
import { anythingFlow } from './support/documents.ts'
import { createHost } from './support/host.ts'
import { startService } from './support/service.ts'

/** More different keys than an address may try within a minute. */
const MANY = 20

/** It stands still: what is left of the minute does not depend on how long the requests take. */
function standingClock() {
  let now = Date.now()
  const advance = (ms: number) => {
    now += ms
  }
  return { clock: { ...systemClock(), now: () => now }, advance }
}

function from(address: string): Record<string, string> {
  return { 'x-forwarded-for': address }
}

async function guess(client: ApiClient, headers: Record<string, string> = {}): Promise<void> {
  for (let n = 0; n < MANY; n++) {
    const key = `guess-${n}`
    const answer =
      n % 2 === 0
        ? client.get('/api/v1/flows', { key, headers })
        : client.webhook('orders', '{}', { key, headers })
    problemOf(await answer, 401, 'unauthorized')
  }
}

function assertLimited(answer: Answer): void {
  assert.match(problemOf(answer, 429, 'keys_limited').detail, /^Too many wrong keys came from this address\./)
  assert.equal(answer.headers.get('retry-after'), '60')
}

describe('keys that are guessed in x-api-key', () => {
  it('are refused for a minute after too many, a good one too that was not used from there', async (t) => {
    const { clock, advance } = standingClock()
    const service = await startService(t, { clock })
    const { key } = await service.createKey({ rights: ['read', 'trigger'] })
    await guess(service)
    for (const tried of ['guess-20', key]) {
      assertLimited(await service.get('/api/v1/flows', { key: tried }))
      assertLimited(await service.webhook('orders', '{}', { key: tried }))
    }
    assert.equal((await service.webhook('orders')).status, 202, 'a key that was good here stays so')
    assert.equal((await service.get('/api/v1/flows')).status, 200)
    advance(60_000)
    assert.equal((await service.webhook('orders', '{}', { key })).status, 202)
  })

  it('tell nothing of flows: an absent one, a guarded one and a signed one answer alike', async (t) => {
    const { clock } = standingClock()
    const service = await startService(t, { clock })
    const fields = {
      auth: 'Signature',
      signature_scheme: 'GitHub',
      signing_secret: 'a-secret-of-some-length'
    }
    const { slug } = await service.createFlow(anythingFlow(fields))
    await guess(service)
    const answers = await Promise.all(
      ['absent', 'orders', slug].map((flow) => service.webhook(flow, '{}', { key: 'next' }))
    )
    for (const answer of answers) assert.equal(answer.text, answers[0]!.text)
    assertLimited(answers[0]!)
  })

  it('count for the address that a trusted proxy tells, and for no other', async (t) => {
    const { clock } = standingClock()
    const service = await startService(t, { clock, env: { MILLRACE_TRUST_PROXY: 'loopback' } })
    const { key } = await service.createKey({ rights: ['read', 'trigger'] })
    await guess(service, from('192.0.2.1'))
    const send = (address: string) => service.webhook('orders', '{}', { key, headers: from(address) })
    assertLimited(await send('192.0.2.1'))
    assertLimited(await send('198.51.100.9, 192.0.2.1'))
    assert.equal((await send('192.0.2.2')).status, 202)
    assert.equal((await send('192.0.2.1, 192.0.2.3')).status, 202, 'the proxy names the last one')
    const signIn = (address: string, api_key: string) =>
      service.post('/api/v1/session', { api_key }, { key: null, headers: from(address) })
    for (let n = 0; n < 10; n++) problemOf(await signIn('192.0.2.4', `guess-${n}`), 401, 'unauthorized')
    problemOf(await signIn('192.0.2.4', service.key), 429, 'sign_in_limited')
    assert.equal((await signIn('192.0.2.5', service.key)).status, 204)
  })

  it('count for the address that is connected, where no proxy is trusted', async (t) => {
    const { clock } = standingClock()
    const service = await startService(t, { clock })
    const { key } = await service.createKey({ rights: ['read'] })
    for (let n = 0; n < MANY; n++) {
      await service.get('/api/v1/flows', { key: `guess-${n}`, headers: from(`192.0.2.${n}`) })
    }
    assertLimited(await service.get('/api/v1/flows', { key, headers: from('192.0.2.99') }))
  })

  it('are limited inside an application too, by what its Fastify trusts', async (t) => {
    const host = await createHost(t, { server: { trustProxy: '127.0.0.1' } })
    const client = await host.listen()
    const { key } = await client.createKey({ rights: ['read'] })
    await guess(client, from('192.0.2.1'))
    problemOf(await client.get('/api/v1/flows', { key, headers: from('192.0.2.1') }), 429, 'keys_limited')
    assert.equal((await client.get('/api/v1/flows', { key, headers: from('192.0.2.2') })).status, 200)
  })
})

describe('the address of a sender', () => {
  it('is the one that a trusted proxy tells, by either way of a webhook', async (t) => {
    const service = await startService(t, { env: { MILLRACE_TRUST_PROXY: '1' } })
    for (const headers of [from('192.0.2.1'), { ...from('192.0.2.1'), prefer: 'wait=10' }]) {
      const { request } = await service.run('orders', '{}', { headers })
      assert.equal(request?.address, '192.0.2.1')
    }
  })
})
