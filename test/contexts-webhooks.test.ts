import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { systemClock } from '../src/clock.ts'
import { BEARER } from './plugins/guarded.ts'
import { type Answer, type FlowBody, problemOf, type RequestOptions } from './support/api-client.ts'
import { flowIn, makeContext, startWith } from './support/contexts.ts'
import { requestHead, sendRaw } from './support/raw-http.ts'
import { type Service, startService } from './support/service.ts'

const GUARDED = [
  '/guarded',
  '/guarded/inner',
  '/guarded/data',
  '/guarded/inner/data',
  '/guarded/inner/data/deep'
]
const OPEN = ['/', '/open', '/open/data', '/plain', '/guarded-too']

/** Flows that ask for nothing themselves, one in each context, by the context’s path. */
async function teams(t: TestContext): Promise<{ service: Service; flows: Map<string, FlowBody> }> {
  const service = await startService(t, { plugins: ['guarded.ts'] })
  const flows = new Map<string, FlowBody>()
  for (const path of [...GUARDED, ...OPEN]) {
    if (/data|deep|plain|too/.test(path)) await makeContext(service, path)
    flows.set(path, await service.createFlow(flowIn(path, undefined, { auth: 'None' })))
  }
  return { service, flows }
}

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

/** Guards in a context, each refusing in its own way whoever does not send `x-pass`. */
const GUARDS: Record<string, [source: string, toKeys: [status: number, says: RegExp]]> = {
  'another status, with headers': [
    `context.addHook('onRequest', async (request, reply) => {
      reply.headers({ 'x-guard': 'sales', 'set-cookie': ['a=1', 'b=2'], 'retry-after': '9' })
      if (!request.headers['x-pass']) return reply.code(403).send('not for you')
    })`,
    [403, /^not for you$/]
  ],
  'an error': [
    `context.addHook('onRequest', async (request) => {
      if (!request.headers['x-pass']) throw Object.assign(new Error('slower'), { statusCode: 429 })
    })`,
    [429, /slower/]
  ],
  'an error that it did not expect': [
    `context.addHook('onRequest', async (request) => { if (!request.headers['x-pass']) null.token })`,
    [500, /internal_error/]
  ],
  'an error handler of its own': [
    `context.setErrorHandler((error, request, reply) => reply.code(418).header('x-pot', 'tea').send('short and stout'))
    context.addHook('preParsing', async (request) => { if (!request.headers['x-pass']) throw new Error('no') })`,
    [418, /stout/]
  ],
  'a look at the body': [
    `context.addHook('preHandler', async (request, reply) => {
      if (!request.headers['x-pass']) return reply.code(404).send({ found: false })
    })`,
    [404, /"found":false/]
  ],
  'a redirection': [
    `context.addHook('onRequest', async (request, reply) => { if (!request.headers['x-pass']) return reply.redirect('/sign-in') })`,
    [302, /^$/]
  ],
  'a stream': [
    `context.addHook('onRequest', async (request, reply) => {
      if (!request.headers['x-pass']) return reply.code(403).send(Readable.from(['not ', 'for you']))
    })`,
    [403, /^not for you$/]
  ],
  'a response of the web': [
    `context.addHook('onRequest', async (request, reply) => {
      if (!request.headers['x-pass']) return reply.send(new Response('not for you', { status: 403, headers: { 'x-guard': '1' } }))
    })`,
    [403, /^not for you$/]
  ],
  'what Node writes': [
    `context.addHook('onRequest', async (request, reply) => {
      reply.raw.setHeader('x-guard', 'sales')
      reply.raw.statusMessage = 'Sales only'
      if (!request.headers['x-pass']) return reply.code(401).send('not for you')
    })`,
    [401, /^not for you$/]
  ],
  'a hook on the route': [
    `const refuse = async (request, reply) => { if (!request.headers['x-pass']) return reply.code(403).send('not for you') }
    context.addHook('onRoute', (route) => { route.onRequest = [].concat(route.onRequest ?? [], refuse) })
    context.addHook('onSend', async (request, reply, payload) => { reply.header('x-guard', 'sales'); return payload })`,
    [403, /^not for you$/]
  ]
}

describe('who comes to a guarded webhook without a key', () => {
  for (const [how, [source, [status, says]]] of Object.entries(GUARDS)) {
    it(`is told what an absent flow answers, where the guard refuses by ${how}`, async (t) => {
      const service = await startWith(t, {
        'sales.mjs': `import { Readable } from 'node:stream'
        export default async function sales (context) { ${source} }`
      })
      const { slug } = await service.createFlow(flowIn('/sales', undefined, { auth: 'None' }))
      const signature = { auth: 'Signature', signature_scheme: 'GitHub', signing_secret: 'x'.repeat(32) }
      const signed = await service.createFlow({ ...flowIn('/sales', undefined, signature), slug: 'signed' })
      for (const headers of [
        {},
        { 'x-api-key': 'wrong-key-0123456789' },
        { 'x-hub-signature-256': 'sha256=0' }
      ]) {
        await assertAlike(service, [slug, signed.slug], { key: null, headers })
      }
      await makeContext(service, '/other')
      const elsewhere = await service.createKey({ rights: ['trigger', 'read'], context: '/other' })
      await assertAlike(service, [slug], { key: elsewhere.key })
      const told = await service.request('POST', `/api/v1/webhook/${slug}`)
      assert.equal(told.status, status, 'whoever may see the flow reads the guard')
      assert.match(told.text, says)
      assert.equal((await service.webhook(slug, '{}', { key: null, headers: { 'x-pass': '1' } })).status, 202)
    })
  }

  it('is told the same of flows in the root, in a context, and of none, where the guard is in the root', async (t) => {
    const guard = `async function guard (context) {
      context.addHook('onRequest', async (request, reply) => {
        reply.header('x-guard', 'root')
        if (request.url.includes('/webhook/')) return reply.code(403).send('not for you')
      })
    }
    guard[Symbol.for('skip-override')] = true
    export default guard`
    const empty = (name: string) => `export default async function ${name} () {}`
    const service = await startWith(t, { 'a.mjs': empty('early'), 'b.mjs': guard, 'c.mjs': empty('late') })
    const slugs: string[] = []
    for (const context of ['/', '/early', '/late']) {
      slugs.push((await service.createFlow(flowIn(context, undefined, { auth: 'None' }))).slug)
    }
    await assertAlike(service, slugs, { key: null })
    for (const slug of slugs) assert.equal((await service.webhook(slug)).text, 'not for you')
  })

  it('is told what is wrong with the request once it has passed the guard', async (t) => {
    const { service } = await teams(t)
    const { slug } = await service.createFlow({
      ...flowIn('/guarded', undefined, { auth: 'None', rate_limit: 1 }),
      slug: 'limited'
    })
    const sent = { key: null, headers: BEARER }
    problemOf(await service.webhook(slug, Buffer.alloc(2 * 1024 * 1024), sent), 413, 'body_too_large')
    assert.equal((await service.webhook(slug, '{}', sent)).status, 202)
    const limited = await service.webhook(slug, '{}', sent)
    problemOf(limited, 429, 'rate_limited')
    assert.notEqual(limited.headers.get('retry-after'), null)
  })

  it('is told no more after too many wrong keys, nor by the session of another', async (t) => {
    const now = Date.now()
    const clock = { ...systemClock(), now: () => now }
    const service = await startService(t, { plugins: ['guarded.ts'], clock })
    const { slug } = await service.createFlow(flowIn('/guarded', undefined, { auth: 'None' }))
    const { headers } = await service.post('/api/v1/session', { api_key: service.key }, { key: null })
    const cookie = headers.get('set-cookie')!.split(';', 1)[0]!
    const foreign = { key: null, headers: { cookie, origin: 'https://elsewhere.test' } }
    problemOf(await service.webhook('absent', '{}', foreign), 403, 'cross_site_request')
    await assertAlike(service, [slug], foreign)
    let answer = await service.webhook('absent')
    for (let n = 0; answer.status !== 429; n++) {
      assert.ok(n < 1_000, 'wrong keys are limited')
      answer = await service.webhook('absent', '{}', { key: `wrong-key-0123456789-${n}` })
    }
    await assertAlike(service, [slug], { key: 'wrong-key-0123456789' })
  })

  it('is not told by the size of a body that a guard is yet to look at', async (t) => {
    const service = await startWith(t, {
      'sales.mjs': `export default async function sales (context) {
        context.addHook('preHandler', async (request, reply) => reply.code(403).send('not for you'))
      }`
    })
    const { slug } = await service.createFlow(flowIn('/sales', undefined, { auth: 'None' }))
    await assertAlike(service, [slug], { key: null, body: 'x'.repeat(2_000_000) })
  })
})

/** To this caller the webhooks of these flows answer as one that is not there does. */
async function assertAlike(service: Service, slugs: readonly string[], sent: RequestOptions): Promise<void> {
  const post = (slug: string) => service.request('POST', `/api/v1/webhook/${slug}`, { body: '{}', ...sent })
  const absent = await post('absent')
  assert.ok(absent.status >= 400, absent.text)
  for (const slug of slugs) {
    const answer = await post(slug)
    assert.deepEqual([answer.status, answer.text], [absent.status, absent.text])
    assert.deepEqual(headersOf(answer), headersOf(absent))
    assert.equal(answer.statusText, absent.statusText)
  }
}

/** All but those that differ between any two answers. */
function headersOf({ headers }: Answer): [string, string][] {
  return [...headers].filter(([name]) => name !== 'date').toSorted()
}

describe('around the webhooks of a context', () => {
  it('every other method is 405 with Allow: POST, and needs to pass no guard', async (t) => {
    const { service, flows } = await teams(t)
    for (const path of ['/guarded', '/guarded/data', '/open', '/']) {
      for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const answer = await service.request(method, `/api/v1/webhook/${flows.get(path)!.slug}`, {
          key: null
        })
        assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST'], `${method} ${path}`)
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
