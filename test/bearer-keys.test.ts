import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, it } from 'node:test'
import { systemClock } from '../src/clock.ts'
import { BEARER } from './plugins/guarded.ts'
import { type ApiClient, problemOf } from './support/api-client.ts'
import { openEvents } from './support/event-reader.ts'
import { createHost, HOST_KEY } from './support/host.ts'
import { allOperations, fillPath } from './support/routes.ts'
import { serviceOfFile, startService } from './support/service.ts'

const shared = serviceOfFile()

function bearer(key: string): { key: null; headers: Record<string, string> } {
  return { key: null, headers: { authorization: `Bearer ${key}` } }
}

async function sessionOf(client: ApiClient, api_key: string): Promise<string> {
  const answer = await client.post('/api/v1/session', { api_key }, { key: null })
  return answer.headers.get('set-cookie')!.split(';')[0]!
}

describe('a key in Authorization: Bearer', () => {
  it('is good wherever it is in x-api-key', async (t) => {
    const service = await shared(t)
    // A key without a right is refused after it is known: nothing is changed by asking for everything.
    const { key } = await service.createKey({ rights: ['trigger'], flow: 'orders' })
    for (const { method, path } of await allOperations(service)) {
      // A stream would stay open, and a session is what it asks about itself.
      if (path.endsWith('/events') || path === '/api/v1/session') continue
      const filled = fillPath(path, {}, 'absent')
      const [byOwn, byBearer] = [
        await service.request(method, filled, { key }),
        await service.request(method, filled, bearer(key))
      ]
      assert.notEqual(byBearer.status, 401, `${method} ${path}`)
      assert.equal(byBearer.status, byOwn.status, `${method} ${path}`)
    }
  })

  it('opens metrics and streams of events, and starts flows by webhook', async (t) => {
    const service = await shared(t)
    assert.match((await service.get('/metrics', bearer(service.key))).text, /millrace_backlog_runs/)
    const { headers } = bearer(service.key)
    const events = await openEvents(t, `${service.address}/api/v1/events`, headers)
    const { status } = await service.webhook('orders', '{"order_id":1,"customer":"Ann"}', bearer(service.key))
    assert.equal(status, 202)
    await events.until(({ event }) => event === 'run.ended')
    events.close()
  })

  it('goes the fast path of a plain webhook too', async (t) => {
    const service = await shared(t)
    let routed = 0
    const count = () => {
      routed += 1
    }
    subscribe('tracing:fastify.request.handler:start', count)
    t.after(() => unsubscribe('tracing:fastify.request.handler:start', count))
    assert.equal((await service.webhook('orders', '{}', bearer(service.key))).status, 202)
    assert.equal(routed, 0)
    const other = { key: null, headers: { authorization: `bEARER   ${service.key}`, prefer: 'wait=0' } }
    assert.equal((await service.webhook('orders', '{}', other)).status, 202)
    assert.ok(routed > 0, 'nothing tells the long way')
  })

  it('is not looked at where x-api-key is sent, however wrong that is', async (t) => {
    const service = await shared(t)
    const both = (key: string, token: string) => ({ key, headers: { authorization: `Bearer ${token}` } })
    for (const send of [
      (options: object) => service.get('/api/v1/flows', options),
      (options: object) => service.webhook('orders', '{}', options)
    ]) {
      assert.ok((await send(both(service.key, 'of-another-guard'))).status < 300)
      problemOf(await send(both('wrong', service.key)), 401, 'unauthorized')
      problemOf(await send(both('', service.key)), 401, 'unauthorized')
    }
  })

  it('is none by another scheme, and none where nothing follows', async (t) => {
    const service = await shared(t)
    for (const authorization of [
      `Basic ${service.key}`,
      service.key,
      'Bearer',
      'Bearer ',
      `Bearer${service.key}`
    ]) {
      const options = { key: null, headers: { authorization } }
      problemOf(await service.get('/api/v1/flows', options), 401, 'unauthorized')
      problemOf(await service.webhook('orders', '{}', options), 401, 'unauthorized')
    }
  })

  it('goes before a session; a bearer that is not a key leaves the session as it is', async (t) => {
    const service = await shared(t)
    const cookie = await sessionOf(service, service.key)
    const { key } = await service.createKey({ rights: ['read'], name: 'reader' })
    const whoIs = async (token: string) =>
      (
        await service.get('/api/v1/session', {
          key: null,
          headers: { cookie, authorization: `Bearer ${token}` }
        })
      ).json<{ key: { name: string } }>().key.name
    assert.equal(await whoIs(key), 'reader')
    // As a proxy in front of the page adds it, with every request.
    for (let n = 0; n < 70; n++) assert.equal(await whoIs('of-the-proxy'), 'MILLRACE_API_KEY')
    const crossSite = { cookie, authorization: 'Bearer of-the-proxy', 'sec-fetch-site': 'cross-site' }
    problemOf(
      await service.post('/api/v1/keys', { name: 'x' }, { key: null, headers: crossSite }),
      403,
      'cross_site_request'
    )
  })

  it('counts as a guess where it is wrong, with a session too', async (t) => {
    const now = Date.now()
    const service = await startService(t, { clock: { ...systemClock(), now: () => now } })
    const { key } = await service.createKey({ rights: ['read'] })
    const cookie = await sessionOf(service, service.key)
    for (let n = 0; n < 10; n++) {
      problemOf(await service.get('/api/v1/flows', bearer(`guess-${n}`)), 401, 'unauthorized')
      const headers = { cookie, authorization: `Bearer other-${n}` }
      assert.equal((await service.get('/api/v1/flows', { key: null, headers })).status, 200)
    }
    problemOf(await service.get('/api/v1/flows', bearer(key)), 429, 'keys_limited')
    const headers = { cookie, authorization: `Bearer ${key}` }
    const answer = await service.get('/api/v1/session', { key: null, headers })
    assert.equal(answer.json<{ key: { name: string } }>().key.name, 'MILLRACE_API_KEY')
  })

  it('leaves the bearer guard of a context to itself', async (t) => {
    const service = await startService(t, { plugins: ['guarded.ts'] })
    const document = (auth: string) => ({
      name: `Guarded ${auth}`,
      context: '/guarded',
      nodes: [{ id: 'w', type: 'webhook', fields: { auth } }],
      edges: []
    })
    const open = await service.createFlow(document('None'))
    const keyed = await service.createFlow(document('API key'))
    const answers = async (flow: string, key: string | null, headers: Record<string, string>) =>
      (await service.webhook(flow, '{}', { key, headers })).status
    assert.equal(await answers(open.slug, null, BEARER), 202)
    assert.equal(await answers(keyed.slug, service.key, BEARER), 202)
    assert.equal(await answers(keyed.slug, null, BEARER), 401)
    assert.equal(await answers(keyed.slug, service.key, { authorization: 'Bearer no' }), 401)
  })

  it('is good in a host application', async (t) => {
    const client = await (await createHost(t)).listen()
    assert.equal((await client.get('/api/v1/flows', bearer(HOST_KEY))).status, 200)
    assert.equal((await client.webhook('orders', '{}', bearer(HOST_KEY))).status, 202)
  })

  it('is described beside x-api-key', async (t) => {
    const service = await shared(t)
    const api = (await service.get('/api/v1/openapi.json')).json<{
      components: { securitySchemes: Record<string, object> }
      security: object[]
    }>()
    assert.deepEqual(api.components.securitySchemes.bearer, { type: 'http', scheme: 'bearer' })
    assert.deepEqual(api.security, [{ key: [] }, { bearer: [] }, { session: [] }])
  })
})
