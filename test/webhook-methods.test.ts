import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ApiClient, problemOf } from './support/api-client.ts'
import { flowIn, startWith } from './support/contexts.ts'
import { anythingFlow } from './support/documents.ts'
import { requestHead, sendRaw } from './support/raw-http.ts'
import { readBack } from './support/read-back.ts'
import { serviceOfFile } from './support/service.ts'

const shared = serviceOfFile()

const ALL = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

async function started(service: ApiClient, method: string, address: string, options = {}) {
  const answer = await service.request(method, address, options)
  assert.equal(answer.status, 202, `${method} ${address}: ${answer.text}`)
  return service.waitForRun(answer.json<{ run_id: string }>().run_id)
}

describe('the methods of a webhook', () => {
  it('start the flow at both of its addresses, each with what it was sent', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow({ methods: ALL }))
    for (const base of ['/api/v1/webhook/', '/v1/webhook/']) {
      for (const method of ALL) {
        const run = await started(service, method, `${base}${slug}?a=1&b=2`, {
          // Node itself does not say how long the body of a DELETE is.
          ...(method === 'GET' ? {} : { body: { n: 1 }, headers: { 'content-length': '7' } })
        })
        assert.equal(run.trigger, 'webhook')
        assert.equal(run.request?.method, method)
        assert.deepEqual(run.input, method === 'GET' ? { a: '1', b: '2' } : { n: 1 }, method)
      }
    }
  })

  it('are those that the flow names, and no HEAD: that would start what only asks', async (t) => {
    const service = await shared(t)
    const { slug, id } = await service.createFlow(anythingFlow({ methods: ['PUT', 'GET'], auth: 'None' }))
    for (const method of ['POST', 'PATCH', 'DELETE', 'HEAD']) {
      const answer = await service.request(method, `/api/v1/webhook/${slug}`, { key: null })
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET, PUT'], method)
      if (method !== 'HEAD') problemOf(answer, 405, 'method_not_allowed')
    }
    assert.deepEqual((await service.get(`/api/v1/runs?flow_id=${id}`)).json().runs, [])
    await started(service, 'GET', `/api/v1/webhook/${slug}`, { key: null })
  })

  it('of which a GET, and a DELETE without a body, have their query as the payload', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow({ methods: ALL, hide: 'pin' }))
    for (const [query, input] of [
      ['', {}],
      ['?', {}],
      ['?a=1', { a: '1' }],
      ['?a=1&b=x%20y+z&a=2&a=3', { a: ['1', '2', '3'], b: 'x y z' }],
      ['?name=%C3%84nn&flag', { name: 'Änn', flag: '' }],
      ['?bad=%zz%ff', { bad: '%zz\uFFFD' }],
      // A flow reads what it was sent; what the node hides is not kept.
      ['?token=of-a-link&PIN=1234&pin=5&a=1', { token: 'of-a-link', a: '1' }]
    ] as const) {
      for (const method of ['GET', 'DELETE']) {
        const run = await started(service, method, `/api/v1/webhook/${slug}${query}`)
        assert.deepEqual(run.input, input, `${method} ${query}`)
        assert.doesNotMatch(JSON.stringify(run.request), /of-a-link|1234/)
      }
    }
    const odd = await started(service, 'GET', `/api/v1/webhook/${slug}?__proto__=x&constructor=y&__proto__=z`)
    assert.match(JSON.stringify(odd.input), /^\{"__proto__":\["x","z"\],"constructor":"y"\}$/)
  })

  it('of which a GET never has its body as the payload', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow({ methods: ['GET'], auth: 'None' }))
    const answer = await sendRaw(
      service.address,
      `${requestHead(`GET /api/v1/webhook/${slug}?a=1`).trimEnd()}\r\nContent-Length: 7\r\nConnection: close\r\n\r\n{"b":2}`
    )
    assert.equal(answer.status, 202, answer.text)
    const run = await service.waitForRun(JSON.parse(answer.body).run_id)
    assert.deepEqual(run.input, { a: '1' })
  })

  it('know a delivery that comes again by what it says', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow({ methods: ['GET'] }))
    const headers = { 'idempotency-key': `k-${slug}` }
    const first = await service.request('GET', `/api/v1/webhook/${slug}?a=1`, { headers })
    const again = await service.request('GET', `/api/v1/webhook/${slug}?a=1`, { headers })
    assert.deepEqual([again.status, again.text], [202, first.text])
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    const other = await service.request('GET', `/api/v1/webhook/${slug}?a=2`, { headers })
    problemOf(other, 422, 'idempotency_key_reused')
  })

  it('are replayed with what they were sent', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow({ methods: ['GET'] }))
    const run = await started(service, 'GET', `/api/v1/webhook/${slug}?a=1&a=2`)
    const answer = await service.post(`/api/v1/runs/${run.id}/replay`, {})
    const replayed = await readBack(service, answer.json<{ run_id: string }>().run_id)
    assert.deepEqual(replayed.run.input, { a: ['1', '2'] })
  })

  it('are guarded alike: no page of another site starts a flow with the session of a visitor', async (t) => {
    const service = await shared(t)
    const { slug, id } = await service.createFlow(anythingFlow({ methods: ['GET'] }))
    const signedIn = await service.post('/api/v1/session', { api_key: service.key })
    const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!
    const get = (headers: Record<string, string>) =>
      service.request('GET', `/api/v1/webhook/${slug}`, { key: null, headers: { cookie, ...headers } })
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, {}] as Record<string, string>[])
      problemOf(await get(headers), 403, 'cross_site_request')
    assert.deepEqual((await service.get(`/api/v1/runs?flow_id=${id}`)).json().runs, [])
    assert.equal((await get({ 'sec-fetch-site': 'none' })).status, 202)
  })

  it('pass the guards of the context that the flow is in', async (t) => {
    const service = await startWith(t, {
      'watched.mjs': `export default async function watched (context) {
        context.addHook('onRequest', async (request, reply) => {
          reply.header('x-seen', request.method + ' ' + request.url)
          if (request.headers['x-pass'] !== 'yes') throw Object.assign(new Error('no pass'), { statusCode: 403 })
        })
      }`
    })
    const { slug } = await service.createFlow(flowIn('/watched', undefined, { methods: ALL, auth: 'None' }))
    for (const method of ALL) {
      const address = `/v1/webhook/${slug}?a=1`
      problemOf(await service.request(method, address, { key: null }), 401, 'unauthorized')
      const answer = await service.request(method, address, { key: null, headers: { 'x-pass': 'yes' } })
      assert.equal(answer.status, 202, answer.text)
      assert.equal(answer.headers.get('x-seen'), `${method} ${address}`)
    }
  })

  for (const [what, methods, message] of [
    ['none', [], /Choose at least one/],
    ['one that is unknown', ['POST', 'HEAD'], /takes some of "GET", "POST".*"HEAD"/],
    ['one twice', ['POST', 'POST'], /twice/],
    ['a text', 'POST', /list/]
  ] as const)
    it(`cannot be ${what}`, async (t) => {
      const service = await shared(t)
      const answer = await service.post('/api/v1/flows', anythingFlow({ methods }))
      const { errors } = problemOf(answer, 422, 'flow_invalid')
      assert.match(errors![0]!.message, message)
      assert.equal(errors![0]!.path, '/nodes/0/fields/methods')
    })
})
