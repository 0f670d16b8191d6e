import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, it, type TestContext } from 'node:test'
import { flowIn, makeContext, startWith } from './support/contexts.ts'
import { requestHead, sendRaw } from './support/raw-http.ts'
import type { Service } from './support/service.ts'

/** A context whose hook looks at every request, so that its webhooks go the long way; nothing else is different. */
const LOOKED_AT = `export default async function watched (context) {
  context.addHook('onRequest', (request, reply, done) => { reply.header('x-looked', 'at'); done() })
}`

async function twoWays(t: TestContext, fields: Record<string, unknown> = {}) {
  const service = await startWith(t, { 'watched.mjs': LOOKED_AT })
  const short = await service.createFlow(flowIn('/', undefined, fields))
  const long = await service.createFlow(flowIn('/watched', undefined, fields))
  return { service, short, long }
}

interface Sent {
  readonly body?: string
  readonly key?: string | null
  readonly headers?: Record<string, string>
  readonly address?: (slug: string) => string
}

async function answerOf(service: Service, slug: string, sent: Sent) {
  const address = sent.address?.(slug) ?? `/api/v1/webhook/${slug}`
  const { body, key, headers } = sent
  const answer = await service.request('POST', address, {
    ...(body === undefined ? {} : { body }),
    ...(key === undefined ? {} : { key }),
    ...(headers === undefined ? {} : { headers })
  })
  return answer
}

/** What an answer is made of, without what differs from run to run. */
function shapeOf(answer: Awaited<ReturnType<typeof answerOf>>) {
  const names = [...answer.headers.keys()].filter((name) => name !== 'x-looked' && name !== 'date').sort()
  const body = answer.json() as Record<string, unknown>
  return {
    status: answer.status,
    headers: names,
    type: answer.headers.get('content-type'),
    body: { ...body, ...(body.run_id === undefined ? {} : { run_id: 'an id' }) }
  }
}

describe('a webhook past the router and one through all hooks', () => {
  it('keep secrets of the sender out of all that is stored, told and shown', async (t) => {
    const { service, short, long } = await twoWays(t, { hide: 'x-shop-pin, pin' })
    const headers = {
      prefer: 'wait=30',
      'x-gitlab-token': 'sesame',
      'x-telegram-bot-api-secret-token': 'sesame',
      'x-hub-signature-256': 'sha256=sesame',
      'x-shop-pin': 'sesame',
      'x-shop': 'north'
    }
    const { prefer: _, ...unhurried } = headers
    for (const { slug, id } of [short, long]) {
      const events = await service.events(id)
      const sent: Sent[] = [
        { body: '{}', headers: unhurried },
        { body: '{}', headers, address: () => `/v1/webhook/${slug}?token=sesame&a=b&PIN=sesame` }
      ]
      for (const request of sent) {
        const { run_id } = (await answerOf(service, slug, request)).json<{ run_id: string }>()
        const told = await events.until(({ event }) => event === 'run.ended')
        const run = await service.get(`/api/v1/runs/${run_id}`)
        assert.match(run.text, /"x-shop":"north"/)
        const output = await service.get(`/api/v1/flows/${id}/nodes/w/output`)
        for (const text of [run.text, output.text, JSON.stringify(told)]) assert.doesNotMatch(text, /sesame/)
        if (request.address !== undefined) assert.match(run.text, /"query":\{"a":"b"\}/)
      }
      events.close()
    }
  })

  const cases: Record<string, Sent> = {
    'a JSON body': { body: '{"order_id":7}' },
    'no body': {},
    'another type': { body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    'a type that is none': { body: '1', headers: { 'content-type': '???' } },
    'no key': { body: '{}', key: null },
    'a wrong key': { body: '{}', key: 'wrong-key-0123456789' },
    'a query': { body: '{}', address: (slug) => `/v1/webhook/${slug}?a=b` },
    'a body that is too large': { body: `"${'x'.repeat(1_100_000)}"` },
    'a caller that waits': { body: '{}', headers: { prefer: 'wait=30' } }
  }
  for (const [name, sent] of Object.entries(cases)) {
    it(`answer alike: ${name}`, async (t) => {
      const { service, short, long } = await twoWays(t)
      const [a, b] = [await answerOf(service, short.slug, sent), await answerOf(service, long.slug, sent)]
      assert.equal(a.headers.get('x-looked'), null)
      assert.equal(
        b.headers.get('x-looked'),
        b.status === 401 ? null : 'at',
        'strangers see no header of a hook'
      )
      assert.deepEqual(shapeOf(a), shapeOf(b))
    })
  }

  it('tell the flow the same of the request', async (t) => {
    const { service, short, long } = await twoWays(t)
    const headers = { 'content-type': 'text/x-order', 'X-Shop': 'eu', authorization: 'Bearer secret' }
    const requests = []
    for (const { slug } of [short, long]) {
      const { run_id: id } = (await answerOf(service, slug, { body: '{}', headers })).json() as {
        run_id: string
      }
      requests.push(((await service.get(`/api/v1/runs/${id}`)).json() as { request: unknown }).request)
    }
    assert.deepEqual(requests[0], requests[1])
    assert.equal((requests[0] as { headers: Record<string, string> }).headers['content-type'], 'text/x-order')
    assert.ok(!JSON.stringify(requests).includes('secret'))
  })

  it('is chosen anew with every request: a flow that moves under a hook is looked at from then on', async (t) => {
    const { service, short } = await twoWays(t)
    assert.equal((await answerOf(service, short.slug, { body: '{}' })).headers.get('x-looked'), null)
    await service.saveFlow(short, { context: '/watched' })
    assert.equal((await answerOf(service, short.slug, { body: '{}' })).headers.get('x-looked'), 'at')
  })

  it('take a body in pieces and a body of unknown length', async (t) => {
    const { service, short } = await twoWays(t, { auth: 'None' })
    const head = requestHead(`POST /api/v1/webhook/${short.slug}`, {
      'transfer-encoding': 'chunked'
    })
    const chunked = await sendRaw(service.address, head, '5\r\n{"a":\r\n', '2\r\n1}\r\n0\r\n\r\n')
    assert.equal(chunked.status, 202)
    const plain = requestHead(`POST /api/v1/webhook/${short.slug}`, {
      'content-length': '7'
    })
    assert.equal((await sendRaw(service.address, plain, '{"a":', '1}')).status, 202)
  })
})

/** Guards that no plugin was seen to register by `addHook`, each in a context named after its function. */
const HIDDEN_GUARDS: Record<string, string> = {
  'put on routes by onRoute': `export default async function guarded (context) {
    const refuse = (request, reply, done) => { reply.code(429).send('slower') }
    context.addHook('onRoute', (route) => { route.onRequest = [].concat(route.onRequest ?? [], refuse) })
  }`,
  'put in the place of the handler by onRoute': `export default async function guarded (context) {
    context.addHook('onRoute', (route) => { route.handler = (request, reply) => reply.code(429).send('slower') })
  }`,
  'added where nobody knows whose it is': `import { AsyncLocalStorage } from 'node:async_hooks'
  const outside = AsyncLocalStorage.snapshot()
  export default async function guarded (context) {
    outside(() => context.addHook('preHandler', async (request, reply) => reply.code(429).send('slower')))
  }`,
  'put on routes by a plugin that shares the context': `async function everywhere (context) {
    context.addHook('onRoute', (route) => {
      if (route.url.includes('/webhook/')) route.preHandler = async (request, reply) => reply.code(429).send('slower')
    })
  }
  everywhere[Symbol.for('skip-override')] = true
  export default async function guarded (context) { await context.register(everywhere) }`
}

describe('a guard that nobody saw being registered', () => {
  for (const [how, source] of Object.entries(HIDDEN_GUARDS)) {
    it(`because it was ${how} refuses on both ways, and in contexts below`, async (t) => {
      const service = await startWith(t, { 'guarded.mjs': source })
      await makeContext(service, '/guarded/data')
      for (const context of ['/guarded', '/guarded/data']) {
        const { slug } = await service.createFlow(flowIn(context))
        for (const address of [`/api/v1/webhook/${slug}`, `/api/v1/webhook/${slug}?a=1`]) {
          const answer = await service.request('POST', address, { body: '{}' })
          assert.deepEqual([answer.status, answer.text], [429, 'slower'], address)
        }
      }
      assert.equal((await service.webhook('orders')).status, 202)
    })
  }

  it('because it was put on all routes from the root refuses the flows of the root on both ways', async (t) => {
    const source = `export default async function everywhere (context) {
      const refuse = async (request, reply) => reply.code(429).send('slower')
      context.addHook('onRoute', (route) => { if (route.url.includes('/webhook/')) route.preHandler = refuse })
    }
    everywhere[Symbol.for('skip-override')] = true`
    const service = await startWith(t, { 'everywhere.mjs': source })
    await makeContext(service, '/data')
    const { slug } = await service.createFlow(flowIn('/data'))
    for (const address of ['/v1/webhook/orders', '/v1/webhook/orders?a=1', `/v1/webhook/${slug}`]) {
      assert.equal((await service.request('POST', address, { body: '{}' })).text, 'slower', address)
    }
  })

  it('because it is a route of its own at the address of a flow answers on both ways', async (t) => {
    const source = `export default async function desk (context) {
      context.post('/api/v1/webhook/orders', async (request, reply) => reply.code(429).send('slower'))
    }`
    const service = await startWith(t, { 'desk.mjs': source })
    for (const address of ['/api/v1/webhook/orders', '/api/v1/webhook/orders?a=1']) {
      assert.equal((await service.request('POST', address, { body: '{}' })).text, 'slower', address)
    }
  })
})

describe('the plain webhook', () => {
  /** Fastify tells of every request that comes to a handler of its own. */
  const HANDLED = 'tracing:fastify.request.handler:start'

  it('takes the fast path in the root, in a context without a guard, and below', async (t) => {
    const service = await startWith(t, {
      'open.mjs': 'export default async function open () {}',
      'watched.mjs': LOOKED_AT
    })
    await makeContext(service, '/open/data')
    await makeContext(service, '/data')
    const routes: unknown[] = []
    const note = (message: unknown) => void routes.push((message as { route: { url: string } }).route.url)
    subscribe(HANDLED, note)
    t.after(() => unsubscribe(HANDLED, note))
    for (const [context, isShort] of Object.entries({
      '/': true,
      '/data': true,
      '/open': true,
      '/open/data': true,
      '/watched': false
    })) {
      const { slug } = await service.createFlow(flowIn(context))
      routes.length = 0
      assert.equal((await service.webhook(slug)).status, 202)
      assert.equal(routes.length, isShort ? 0 : 1, context)
    }
  })
})
