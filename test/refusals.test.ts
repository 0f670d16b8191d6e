import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import { pino } from 'pino'
import { systemClock } from '../src/clock.ts'
import { pluginFiles } from './support/contexts.ts'
import { anythingFlow, callFlow } from './support/documents.ts'
import { startOutside } from './support/outside.ts'
import { requestHead, sendRaw } from './support/raw-http.ts'
import { pluginPaths, type Service, type ServiceOptions, startService } from './support/service.ts'

interface Line {
  readonly reason?: string
  readonly flow?: string
  readonly route?: string
  readonly method?: string
  readonly status?: number
  readonly address?: string
  readonly msg: string
}

const SECRET = 'a-secret-of-some-length'

const GUARD = `export default async function guarded (context) {
  context.addHook('onRequest', async (request, reply) => {
    if (request.headers['x-guard'] === undefined) reply.code(403).send('not you')
  })
}`

async function startLogged(t: TestContext, options: ServiceOptions = {}) {
  const lines: Line[] = []
  const out = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(JSON.parse(String(chunk)))
      done()
    }
  })
  let now = Date.now()
  const service = await startService(t, {
    ...options,
    log: pino({ level: 'info', base: null }, out),
    clock: { ...systemClock(), now: () => now }
  })
  return {
    service,
    /** The lines about refusals since this was asked last. */
    told: () => lines.splice(0).filter(({ reason }) => reason !== undefined),
    advance: (ms: number) => {
      now += ms
    }
  }
}

async function countsOf(service: Service): Promise<Record<string, number>> {
  const { text } = await service.get('/metrics')
  const found = text.matchAll(/^millrace_refusals_total\{reason="(\w+)"\} (\d+)$/gm)
  return Object.fromEntries([...found].map(([, reason, count]) => [reason!, Number(count)]))
}

function shown({ reason, flow, status }: Line): string {
  return `${reason} ${status} ${flow ?? '-'}`
}

describe('what is refused', () => {
  it('is counted by its reason, also where the caller is told another', async (t) => {
    const plugins = await pluginFiles(t, { 'guard.mjs': GUARD })
    const env = { MILLRACE_BODY_LIMIT: '1kb', MILLRACE_PLUGINS: plugins }
    const { service, told } = await startLogged(t, { env })
    const signed = { auth: 'Signature', signature_scheme: 'GitHub', signing_secret: SECRET }
    const { slug } = await service.createFlow({ ...anythingFlow(signed), slug: 'signed' })
    await service.createFlow({ ...anythingFlow(), slug: 'behind', context: '/guarded' })
    const forged = { key: null, headers: { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` } }
    const before = await countsOf(service)
    assert.equal(before.unauthorized, 0, 'a rate needs a first value')

    const large = 'x'.repeat(2_000)
    const refused: [status: number, counted: string, send: () => Promise<{ readonly status: number }>][] = [
      [401, 'unauthorized 401 orders', () => service.webhook('orders', '{}', { key: 'wrong' })],
      [401, 'unauthorized 401 -', () => service.webhook('absent', '{}', { key: null })],
      [404, 'flow_not_found 404 -', () => service.webhook('absent')],
      [413, 'body_too_large 413 orders', () => service.webhook('orders', large)],
      [401, 'body_too_large 413 signed', () => service.webhook(slug, large, forged)],
      [401, 'signature_invalid 401 signed', () => service.webhook(slug, '{}', forged)],
      [401, 'refused_by_plugin 403 behind', () => service.webhook('behind', '{}', { key: null })],
      [403, 'refused_by_plugin 403 behind', () => service.webhook('behind')],
      [404, 'route_not_found 404 -', () => service.get('/api/v1/absent')],
      [405, 'method_not_allowed 405 orders', () => service.get('/api/v1/webhook/orders')],
      [422, 'invalid_request 422 -', () => service.get('/api/v1/runs?limit=x')],
      [
        409,
        'flow_without_chat_input 409 orders',
        () => service.post('/api/v1/flows/orders/chat', { text: 'x' })
      ],
      [
        421,
        'unknown_host 421 -',
        () => sendRaw(service.address, requestHead('GET /', { host: 'evil.example' }))
      ],
      [400, 'bad_request 400 -', () => sendRaw(service.address, 'nonsense\r\n\r\n')]
    ]
    const kinds = new Set<string>()
    for (const [status, counted, send] of refused) {
      assert.equal((await send()).status, status, counted)
      assert.deepEqual(told().map(shown), kinds.has(counted) ? [] : [counted])
      kinds.add(counted)
    }
    const expected: Record<string, number> = { ...before }
    for (const [, counted] of refused) expected[counted.split(' ', 1)[0]!]! += 1
    assert.deepEqual(await countsOf(service), expected)
  })

  it('is told once a minute for each reason and flow, and never with what was sent', async (t) => {
    const { service, told, advance } = await startLogged(t)
    const wrong = (flow: string) => service.webhook(`${flow}?token=${SECRET}`, '{}', { key: 'wrong' })
    await service.createFlow({ ...anythingFlow(), slug: 'other' })
    for (let n = 0; n < 3; n++) for (const flow of ['orders', 'other']) await wrong(flow)
    const lines = told()
    assert.deepEqual(lines.map(shown), ['unauthorized 401 orders', 'unauthorized 401 other'])
    const { method, route, address, msg } = lines[0]!
    assert.deepEqual([method, route, address], ['POST', '/api/v1/webhook/:flow', '127.0.0.1'])
    assert.equal(msg, 'a request was refused: A valid key is needed')
    assert.ok(!JSON.stringify(lines).includes(SECRET))
    advance(59_999)
    await wrong('orders')
    assert.deepEqual(told(), [])
    advance(1)
    await wrong('orders')
    assert.deepEqual(told().map(shown), ['unauthorized 401 orders'])
    advance(-3_600_000)
    await wrong('orders')
    assert.equal(told().length, 1, 'a clock that was set back silences nothing')
  })

  it('is counted on the way past the router too', async (t) => {
    const env = { MILLRACE_BACKLOG_LIMIT: '1', MILLRACE_PLUGINS: pluginPaths(['call.ts']) }
    const { service, told } = await startLogged(t, { env })
    const outside = await startOutside(t)
    const flow = await service.createFlow(callFlow(outside.url()))
    await service.start(flow.slug)
    await outside.next()
    assert.equal((await service.webhook(flow.slug)).status, 503)
    assert.deepEqual(told().map(shown), [`backlog_full 503 ${flow.slug}`])
    assert.equal((await countsOf(service)).backlog_full, 1)
  })
})
