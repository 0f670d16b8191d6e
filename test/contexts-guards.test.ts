import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { systemClock } from '../src/clock.ts'
import { BEARER } from './plugins/guarded.ts'
import { problemOf, type RequestOptions } from './support/api-client.ts'
import { flowIn, makeContext, startWith } from './support/contexts.ts'
import { headersOf, teams } from './support/guarded-teams.ts'
import { type Service, startService } from './support/service.ts'

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
