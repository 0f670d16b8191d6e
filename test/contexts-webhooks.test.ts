import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BEARER } from './plugins/guarded.ts'
import { type FlowBody, problemOf } from './support/api-client.ts'
import { flowIn } from './support/contexts.ts'
import { GUARDED, headersOf, teams } from './support/guarded-teams.ts'
import { requestHead, sendRaw } from './support/raw-http.ts'
import type { Service } from './support/service.ts'

async function statusOf(service: Service, flow: FlowBody, headers: Record<string, string> = {}) {
  return (await service.webhook(flow.slug, '{}', { key: null, headers })).status
}

describe('a guard in a context', () => {
  it('protects the webhooks of its flows and of all contexts below, and no others', async (t) => {
    const { service, flows } = await teams(t)
    for (const [path, flow] of flows) {
      const isGuarded = GUARDED.includes(path)
      for (const address of [`/api/v1/webhook/${flow.slug}`, `/v1/webhook/${flow.id}?a=b`]) {
        const without = await service.request('POST', address, { key: null })
        assert.equal(without.status, isGuarded ? 401 : 202, `${path}: ${without.text}`)
        const wrong = await service.request('POST', address, {
          key: null,
          headers: { authorization: 'Bearer no' }
        })
        assert.equal(wrong.status, isGuarded ? 401 : 202)
        assert.equal((await service.request('POST', address, { key: null, headers: BEARER })).status, 202)
      }
    }
  })

  it('protects routes of its plugin, and neither those of others nor the API', async (t) => {
    const { service } = await teams(t)
    assert.equal((await service.get('/guarded/own', { key: null })).status, 401)
    assert.equal((await service.get('/guarded/own', { key: null, headers: BEARER })).text, 'behind the guard')
    assert.equal((await service.get('/open/own', { key: null })).text, 'in the open')
    assert.equal((await service.get('/api/v1/flows')).status, 200)
    assert.equal((await service.get('/livez', { key: null })).status, 200)
  })

  it('does not take the place of the key that the Webhook asks for', async (t) => {
    const { service } = await teams(t)
    const { slug } = await service.createFlow({ ...flowIn('/guarded'), slug: 'both' })
    assert.equal((await service.webhook(slug)).status, 401, 'a key alone is not enough')
    problemOf(await service.webhook(slug, '{}', { key: null, headers: BEARER }), 401, 'unauthorized')
    assert.equal((await service.webhook(slug, '{}', { headers: BEARER })).status, 202)
    const { key } = await service.createKey({ rights: ['read'] })
    problemOf(await service.webhook(slug, '{}', { key, headers: BEARER }), 403, 'forbidden')
  })

  it('keeps no body from its flow: bytes, limits and waiting are as everywhere', async (t) => {
    const { service, flows } = await teams(t)
    const { slug } = flows.get('/guarded/inner/data')!
    const headers = { ...BEARER, 'content-type': 'text/anything; charset=x' }
    const run = await service.run(slug, '{"id":12345678901234567890}', { headers })
    assert.equal(run.steps[1]!.outputs!.parsed_text, '{\n  "id": 12345678901234567890\n}')
    assert.equal((await service.run(slug, 'no json', { headers: BEARER })).steps[1]!.status, 'succeeded')
    const large = Buffer.alloc(1024 * 1024 + 1, 0x20)
    problemOf(await service.webhook(slug, large, { headers: BEARER }), 413, 'body_too_large')
  })

  it('holds for the very next request when a flow moves in, and ends when it moves out', async (t) => {
    const { service } = await teams(t)
    let flow = await service.createFlow({ ...flowIn('/', undefined, { auth: 'None' }), slug: 'nomad' })
    const places = ['/guarded', '/open', '/guarded/inner/data', '/plain', '/guarded/data', '/guarded-too']
    for (const context of places) {
      flow = await service.saveFlow(flow, { context })
      const isGuarded = GUARDED.includes(context)
      assert.equal(await statusOf(service, flow), isGuarded ? 401 : 202, context)
      assert.equal(await statusOf(service, flow, BEARER), 202)
    }
    const restored = await service.post(`/api/v1/flows/${flow.id}/versions/2/restore`)
    assert.equal(restored.json<FlowBody>().context, '/guarded')
    assert.equal(await statusOf(service, flow), 401, 'restored, it is back behind the guard')
    const { context: _left, ...without } = restored.json<FlowBody>()
    const saved = await service.request('PUT', `/api/v1/flows/${flow.id}`, {
      body: { ...without, name: 'Nomad' }
    })
    assert.equal(saved.json<FlowBody>().context, '/guarded', 'saved without its context, it stays there')
    assert.equal(await statusOf(service, flow), 401)
  })

  it('is not passed by another way of writing the address', async (t) => {
    const { service, flows } = await teams(t)
    const { slug, id } = flows.get('/guarded')!
    const letter = `%${slug.charCodeAt(0).toString(16)}${slug.slice(1)}`
    const forms = [
      `/api/v1/%77ebhook/${slug}`,
      `/%61pi/v1/webhook/${slug}?x=1`,
      `/api/v1/webhook/${letter}`,
      `/v1/webhook/${id}#here`,
      `http://elsewhere.test/api/v1/webhook/${slug}?x=1`
    ]
    for (const form of forms) {
      const send = (headers: Record<string, string>) =>
        sendRaw(service.address, requestHead(`POST ${form}`, { 'content-length': '2', ...headers }), '{}')
      assert.equal((await send({})).status, 401, form)
      const { status, text } = await send(BEARER)
      assert.equal(status, 202, `${form}: ${text}`)
    }
    for (const form of [`//api/v1/webhook/${slug}`, `/api/v1/webhook/${slug}/`, `/api//v1/webhook/${slug}`]) {
      const head = requestHead(`POST ${form}`, { 'content-length': '2', ...BEARER })
      assert.equal((await sendRaw(service.address, head, '{}')).status, 404, form)
    }
    assert.equal(await statusOf(service, flows.get('/open')!), 202, 'the service goes on')
  })
})

describe('what a guard in a context says', () => {
  it('is what an absent flow answers to whoever has no key, and its own words to whoever has one', async (t) => {
    const { service, flows } = await teams(t)
    const { slug } = flows.get('/guarded')!
    for (const headers of [{}, { authorization: 'Bearer no' }, { 'x-api-key': 'no' }]) {
      const [guarded, absent] = [
        await service.webhook(slug, '{}', { key: null, headers }),
        await service.webhook('absent', '{}', { key: null, headers })
      ]
      problemOf(guarded, 401, 'unauthorized')
      assert.equal(guarded.text, absent.text)
      assert.deepEqual(headersOf(guarded), headersOf(absent))
    }
    const told = await service.webhook(slug, '{}', { headers: { authorization: 'Bearer no' } })
    assert.deepEqual([told.status, told.json()], [401, { error: 'invalid authorization header' }])
  })
})

describe('around the webhooks of a context', () => {
  it('every other method is 405 with Allow: POST, to whoever passes the guard', async (t) => {
    const { service, flows } = await teams(t)
    for (const path of ['/guarded', '/guarded/data', '/open', '/']) {
      for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
        const address = `/api/v1/webhook/${flows.get(path)!.slug}`
        const answer = await service.request(method, address, { headers: BEARER })
        assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST'], `${method} ${path}`)
        if (!path.startsWith('/guarded')) continue
        const [guarded, absent] = [
          await service.request(method, address, { key: null }),
          await service.request(method, '/api/v1/webhook/absent', { key: null })
        ]
        assert.equal(guarded.status, 401, `${method} ${path}`)
        assert.equal(guarded.text, absent.text)
        assert.deepEqual(headersOf(guarded), headersOf(absent))
      }
    }
  })

  it('an absent flow answers as it does without contexts', async (t) => {
    const { service } = await teams(t)
    for (const flow of ['absent', 'guarded', '%2Fguarded', 'a%2Fb']) {
      problemOf(await service.webhook(flow, '{}', { key: null }), 401, 'unauthorized')
      problemOf(await service.webhook(flow, '{}', { headers: BEARER }), 404, 'flow_not_found')
    }
    assert.equal((await service.webhook('%', '{}')).status, 400)
  })

  it('a deleted flow is an absent one', async (t) => {
    const { service, flows } = await teams(t)
    const { id, slug } = flows.get('/guarded')!
    await service.request('DELETE', `/api/v1/flows/${id}`)
    problemOf(await service.webhook(slug, '{}', { key: null, headers: BEARER }), 401, 'unauthorized')
  })
})
