import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ApiClient, problemOf } from './support/api-client.ts'
import { shiftedClock, startService } from './support/service.ts'

const DAY_MS = 86_400_000
const RIGHTS = ['trigger', 'read', 'write', 'admin']

interface Made {
  readonly id: string
  readonly key: string
  readonly expires_at: string | null
}

interface Listed {
  readonly id: string
  readonly name: string
  readonly set_by: string | null
}

async function listed(service: ApiClient): Promise<Listed[]> {
  return (await service.get('/api/v1/keys')).json<{ keys: Listed[] }>().keys
}

describe('a key that expires', () => {
  it('makes no key that is good for longer than it is itself', async (t) => {
    const { clock, advance } = shiftedClock()
    const service = await startService(t, { clock })
    const inDays = (days: number) => new Date(clock.now() + days * DAY_MS).toISOString()
    const own = inDays(2)
    const admin = await service.createKey({ rights: RIGHTS, expires_at: own })
    const make = (body: object) => service.post('/api/v1/keys', { name: 'x', ...body }, { key: admin.key })

    const made: Made[] = []
    for (const [asked, gets] of [
      [{}, own],
      [{ expires_at: null }, own],
      [{ expires_at: own }, own],
      [{ expires_at: inDays(1), rights: ['admin'] }, undefined]
    ] as const) {
      const answer = await make(asked)
      assert.equal(answer.status, 201, answer.text)
      made.push(answer.json<Made>())
      if (gets !== undefined) assert.equal(made.at(-1)!.expires_at, gets)
    }
    const longer = problemOf(await make({ expires_at: inDays(3) }), 403, 'forbidden')
    assert.match(longer.detail, /cannot make a key that is good for longer than itself/)
    assert.ok(longer.detail.includes(own), longer.detail)

    // Nor does one that it has made, nor a session.
    const child = await service.post(
      '/api/v1/keys',
      { name: 'x', expires_at: own },
      { key: made.at(-1)!.key }
    )
    problemOf(child, 403, 'forbidden')
    const signedIn = await service.request('POST', '/api/v1/session', {
      key: null,
      body: { api_key: admin.key }
    })
    const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!
    const bySession = await service.request('POST', '/api/v1/keys', {
      key: null,
      body: { name: 'x', expires_at: inDays(3) },
      headers: { cookie, 'sec-fetch-site': 'same-origin' }
    })
    problemOf(bySession, 403, 'forbidden')

    advance(2 * DAY_MS + 1000)
    for (const { key } of made) problemOf(await service.get('/api/v1/session', { key }), 401, 'unauthorized')
  })
})

describe('a key that is bound', () => {
  it('reads no metrics: they tell of all flows and contexts', async (t) => {
    const service = await startService(t)
    const ofContext = await service.createKey({ rights: RIGHTS, context: '/sales' })
    const ofFlow = await service.createKey({ rights: RIGHTS, flow: 'orders' })
    for (const { key } of [ofContext, ofFlow])
      problemOf(await service.get('/metrics', { key }), 403, 'forbidden')
    const unbound = await service.createKey({ rights: ['read'] })
    assert.equal((await service.get('/metrics', { key: unbound.key })).status, 200)
  })
})

describe('the key that the configuration sets', () => {
  it('is listed as such and cannot be revoked, until it is not set any more', async (t) => {
    const service = await startService(t)
    const { key, id } = await service.createKey({ rights: RIGHTS })
    const configured = (await listed(service)).find(({ set_by }) => set_by !== null)!
    assert.deepEqual([configured.name, configured.set_by], ['MILLRACE_API_KEY', 'MILLRACE_API_KEY'])
    assert.equal((await listed(service)).find((one) => one.id === id)!.set_by, null)
    for (const by of [service.key, key]) {
      const answer = await service.request('DELETE', `/api/v1/keys/${configured.id}`, { key: by })
      assert.match(problemOf(answer, 409, 'key_is_configured').detail, /MILLRACE_API_KEY/)
    }
    assert.equal((await service.get('/api/v1/session')).status, 200, 'it is as good as before')
    await service.stop()

    const without = await startService(t, { home: service.home, env: { MILLRACE_API_KEY: '' } })
    const before = (await without.get('/api/v1/keys', { key })).json<{ keys: Listed[] }>().keys
    assert.ok(before.every(({ set_by }) => set_by === null))
    const revoked = await without.request('DELETE', `/api/v1/keys/${configured.id}`, { key })
    assert.equal(revoked.status, 204, revoked.text)
    problemOf(await without.get('/api/v1/session', { key: service.key }), 401, 'unauthorized')
  })
})
