import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { systemClock } from '../src/clock.ts'
import { type Answer, type ApiClient, problemOf, type RequestOptions } from './support/api-client.ts'
import { ordersFlow } from './support/documents.ts'
import { createHost, HOST_KEY } from './support/host.ts'
import { shiftedClock, startService } from './support/service.ts'

const DAY_MS = 86_400_000
const FROM_THE_PAGE = { 'sec-fetch-site': 'same-origin' }

interface KeyBody {
  readonly id: string
  readonly name: string
  readonly rights: readonly string[]
  readonly flow_id: string | null
  readonly context: string | null
  readonly expires_at: string | null
}

/** Signs in with a key, and returns what the browser would send from then on. */
async function signIn(client: ApiClient, key: string): Promise<string> {
  const answer = await client.post('/api/v1/session', { api_key: key }, { key: null })
  assert.equal(answer.status, 204, answer.text)
  return cookieOf(answer)
}

function cookieOf(answer: Answer): string {
  return (answer.headers.get('set-cookie') ?? assert.fail('no cookie was set')).split(';')[0]!
}

function by(cookie: string, headers: Record<string, string> = FROM_THE_PAGE): RequestOptions {
  return { key: null, headers: { cookie, ...headers } }
}

async function keyOf(client: ApiClient, cookie: string): Promise<KeyBody> {
  const answer = await client.get('/api/v1/session', by(cookie))
  assert.equal(answer.status, 200, answer.text)
  return answer.json<{ key: KeyBody }>().key
}

describe('signing in with a key', () => {
  it('sets a cookie that no script reads and no other site sends, and tells whose session it is', async (t) => {
    const service = await startService(t)
    const { key, id } = await service.createKey({ name: 'Ann', rights: ['read'], flow: 'orders' })
    const answer = await service.post('/api/v1/session', { api_key: key }, { key: null })
    assert.equal(answer.status, 204, answer.text)
    assert.equal(answer.text, '')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.match(
      answer.headers.get('set-cookie')!,
      /^millrace_[0-9a-f]{8}=[\w.-]+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/
    )
    assert.ok(!answer.headers.get('set-cookie')!.includes(key.slice(3)), 'the cookie holds the key')
    const { flow_id, ...facts } = await keyOf(service, cookieOf(answer))
    assert.deepEqual(facts, { id, name: 'Ann', rights: ['read'], context: null, expires_at: null })
    assert.equal(typeof flow_id, 'string')
  })

  it('is refused with a wrong key, or with none', async (t) => {
    const service = await startService(t)
    const send = (body: unknown) => service.post('/api/v1/session', body, { key: null })
    const wrong = await send({ api_key: 'wrong' })
    problemOf(wrong, 401, 'unauthorized')
    assert.equal(wrong.headers.get('set-cookie'), null)
    for (const body of [undefined, {}, { api_key: '' }, { api_key: 7 }, { api_key: 'x', more: 1 }]) {
      problemOf(await send(body), 422, 'invalid_request')
    }
    problemOf(await service.get('/api/v1/session', { key: null }), 401, 'unauthorized')
    const garbage = by((await signIn(service, service.key)).replace(/=.*/, '=garbage'))
    problemOf(await service.get('/api/v1/session', garbage), 401, 'unauthorized')
  })

  it('is refused to an address that tried too many wrong keys, for a minute', async (t) => {
    // It stands still: what is left of the minute does not depend on how long the requests take.
    let now = Date.now()
    const service = await startService(t, { clock: { ...systemClock(), now: () => now } })
    const send = (api_key: string) => service.post('/api/v1/session', { api_key }, { key: null })
    for (let n = 0; n < 10; n++) {
      assert.equal((await send(service.key)).status, 204, 'good keys neither count nor forgive')
      problemOf(await send(`guess-${n}`), 401, 'unauthorized')
    }
    const refused = await send('guess-11')
    assert.match(problemOf(refused, 429, 'sign_in_limited').detail, /Try again in \d+ s\./)
    assert.equal(refused.headers.get('retry-after'), '60')
    problemOf(await send(service.key), 429, 'sign_in_limited')
    assert.equal((await service.get('/api/v1/session')).status, 200, 'a key in the header is not concerned')
    now += 60_000
    assert.equal((await send(service.key)).status, 204)
  })

  it('is told of with a key in the header too', async (t) => {
    const service = await startService(t)
    const { key } = (await service.get('/api/v1/session')).json<{ key: KeyBody }>()
    assert.deepEqual([key.id, key.rights], ['configured', ['trigger', 'read', 'write', 'admin']])
  })

  it('keeps the cookie off plain connections where it came by https', async (t) => {
    const service = await startService(t)
    const headers = { 'x-forwarded-proto': 'https' }
    const options = { key: null, headers }
    const answer = await service.post('/api/v1/session', { api_key: service.key }, options)
    assert.match(answer.headers.get('set-cookie')!, /; Secure$/)
  })

  it('is undone by signing out', async (t) => {
    const service = await startService(t)
    const cookie = await signIn(service, service.key)
    const answer = await service.request('DELETE', '/api/v1/session', by(cookie))
    assert.equal(answer.status, 204)
    assert.match(answer.headers.get('set-cookie')!, /^millrace_\w+=; Path=\/; Max-Age=0; /)
    assert.equal((await service.request('DELETE', '/api/v1/session', { key: null })).status, 204)
  })

  it('is undone for whoever has a copy of the cookie too, and over restarts', async (t) => {
    const { clock, advance } = shiftedClock()
    const service = await startService(t, { clock })
    const [first, other] = [await signIn(service, service.key), await signIn(service, service.key)]
    advance(DAY_MS + 1)
    const renewed = cookieOf(await service.get('/api/v1/session', by(first)))
    await service.request('DELETE', '/api/v1/session', by(renewed))
    const isGone = async (client: ApiClient) => {
      for (const cookie of [first, renewed]) {
        problemOf(await client.get('/api/v1/flows', by(cookie)), 401, 'unauthorized')
      }
      assert.equal((await client.get('/api/v1/flows', by(other))).status, 200, 'another browser stays')
    }
    await isGone(service)
    await service.stop()
    await isGone(await startService(t, { home: service.home, clock }))
  })
})

describe('a session', () => {
  it('has the rights of its key, and no others', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(ordersFlow({ name: 'Mine' }))
    const { key } = await service.createKey({ rights: ['read'], flow: flow.id })
    const cookie = await signIn(service, key)
    assert.equal((await service.get(`/api/v1/flows/${flow.id}`, by(cookie))).status, 200)
    problemOf(await service.get('/api/v1/flows/orders', by(cookie)), 404, 'flow_not_found')
    problemOf(await service.request('DELETE', `/api/v1/flows/${flow.id}`, by(cookie)), 403, 'forbidden')
    problemOf(await service.webhook(flow.slug, '{}', by(cookie)), 403, 'forbidden')
    problemOf(await service.webhook('orders', '{}', by(cookie)), 404, 'flow_not_found')
  })

  it('starts flows, as the page does to send a test request, and its cookie is nowhere in the run', async (t) => {
    const service = await startService(t)
    const cookie = await signIn(service, service.key)
    const run = await service.run('orders', '{"order_id":1,"customer":"Ann"}', by(cookie))
    assert.equal(run.status, 'succeeded')
    assert.ok(!JSON.stringify(run).includes(cookie.split('=')[1]!))
  })

  it('gives way to a key that is sent beside it', async (t) => {
    const service = await startService(t)
    const cookie = await signIn(service, service.key)
    for (const key of ['wrong', '']) {
      problemOf(await service.get('/api/v1/flows', { key, headers: { cookie } }), 401, 'unauthorized')
      problemOf(await service.webhook('orders', '{}', { key, headers: { cookie } }), 401, 'unauthorized')
    }
  })

  it('changes things from the page only, whatever else a browser was made to send', async (t) => {
    const service = await startService(t)
    const cookie = await signIn(service, service.key)
    const host = new URL(service.address).host
    const from: [headers: Record<string, string>, passes: boolean][] = [
      [{ 'sec-fetch-site': 'same-origin' }, true],
      [{ 'sec-fetch-site': 'none' }, true],
      [{ origin: `http://${host}` }, true],
      [{ 'sec-fetch-site': 'cross-site' }, false],
      [{ 'sec-fetch-site': 'same-site' }, false],
      [{ origin: 'http://evil.example' }, false],
      [{ origin: 'null' }, false],
      [{}, false]
    ]
    for (const [headers, passes] of from) {
      const options = by(cookie, headers)
      for (const answer of [
        await service.post('/api/v1/keys', { name: 'x' }, options),
        await service.webhook('orders', '{}', options),
        await service.request('DELETE', '/api/v1/flows/absent', options)
      ]) {
        if (passes) assert.ok([201, 202, 404].includes(answer.status), answer.text)
        else problemOf(answer, 403, 'cross_site_request')
      }
      assert.equal((await service.get('/api/v1/flows', options)).status, 200, 'reading changes nothing')
    }
    const evil = { key: null, headers: { origin: 'http://evil.example' } }
    problemOf(
      await service.post('/api/v1/session', { api_key: service.key }, evil),
      403,
      'cross_site_request'
    )
    problemOf(await service.request('DELETE', '/api/v1/session', evil), 403, 'cross_site_request')
  })

  it('lasts over restarts, and ends with its key', async (t) => {
    const service = await startService(t)
    const { key, id } = await service.createKey({ rights: ['read'] })
    const [mine, operators] = [await signIn(service, key), await signIn(service, service.key)]
    await service.stop()
    const again = await startService(t, { home: service.home })
    assert.equal((await keyOf(again, mine)).id, id)
    await again.request('DELETE', `/api/v1/keys/${id}`)
    problemOf(await again.get('/api/v1/flows', by(mine)), 401, 'unauthorized')
    await again.stop()
    const env = { MILLRACE_API_KEY: 'another-key-0123456789' }
    const last = await startService(t, { home: service.home, env })
    problemOf(await last.get('/api/v1/flows', by(operators)), 401, 'unauthorized')
  })

  it('ends when its key expires, and after thirty days without a visit', async (t) => {
    const { clock, advance } = shiftedClock()
    const service = await startService(t, { clock })
    const expires_at = new Date(clock.now() + DAY_MS).toISOString()
    const { key } = await service.createKey({ rights: ['read'], expires_at })
    const [short, long] = [await signIn(service, key), await signIn(service, service.key)]
    assert.equal((await keyOf(service, short)).expires_at, expires_at)
    advance(DAY_MS + 1)
    problemOf(await service.get('/api/v1/session', by(short)), 401, 'unauthorized')
    const renewed = cookieOf(await service.get('/api/v1/session', by(long)))
    assert.equal((await service.get('/api/v1/session', by(renewed))).headers.get('set-cookie'), null)
    advance(29 * DAY_MS)
    problemOf(await service.get('/api/v1/session', by(long)), 401, 'unauthorized')
    assert.equal((await service.get('/api/v1/session', by(renewed))).status, 200)
  })

  it('is of one service: another one neither knows it nor takes its place', async (t) => {
    const [one, other] = [await startService(t), await startService(t)]
    const [mine, theirs] = [await signIn(one, one.key), await signIn(other, other.key)]
    assert.notEqual(mine.split('=')[0], theirs.split('=')[0])
    problemOf(await other.get('/api/v1/session', by(mine)), 401, 'unauthorized')
    assert.equal((await one.get('/api/v1/session', by(`${theirs}; ${mine}`))).status, 200)
  })

  it('inside an application is for its prefix', async (t) => {
    const client = await (await createHost(t)).listen()
    const answer = await client.post('/api/v1/session', { api_key: HOST_KEY }, { key: null })
    assert.match(answer.headers.get('set-cookie')!, /; Path=\/flows; /)
    assert.equal((await keyOf(client, cookieOf(answer))).id, 'configured')
  })
})
