import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { pino } from 'pino'
import { type Answer, problemOf } from './support/api-client.ts'
import { flowIn, makeContext, startWith } from './support/contexts.ts'

const NONE = { auth: 'None' }

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

describe('hooks of a context, at the webhooks of its flows', () => {
  it('see the address that the caller sent, at every stage', async (t) => {
    const service = await startWith(t, {
      'sales.ts': `export default async function sales (context) {
        const urls = []
        const note = (stage) => async (request) => { urls.push([stage, request.url, request.originalUrl, request.raw.url].join(' ')) }
        for (const stage of ['onRequest', 'preParsing', 'preValidation', 'preHandler', 'onSend', 'onResponse']) {
          context.addHook(stage, note(stage))
        }
        context.get('/urls', { logLevel: 'silent' }, async () => urls.splice(0))
      }`
    })
    await makeContext(service, '/sales/data')
    const flow = await service.createFlow(flowIn('/sales/data', undefined, NONE))
    const addresses = [`/api/v1/webhook/${flow.slug}?a=%20b&a=c`, `/v1/webhook/${flow.id}`]
    await service.get('/urls')
    for (const address of addresses) {
      assert.equal((await service.request('POST', address, { key: null })).status, 202)
      const urls = (await service.get('/urls')).json<string[]>().filter((line) => !line.includes('/urls'))
      const stages = ['onRequest', 'preParsing', 'preValidation', 'preHandler', 'onSend', 'onResponse']
      assert.deepEqual(
        urls,
        stages.map((stage) => `${stage} ${address} ${address} ${address}`)
      )
    }
    const { steps } = await service.run(flow.slug)
    assert.equal(steps.length, 2)
  })

  it('leave the request that the flow sees as it was sent', async (t) => {
    const service = await startWith(t, { 'sales.ts': 'export default async function sales () {}' })
    const document = flowIn('/sales', undefined, NONE)
    const edges = [{ from: 'w.request', to: 'n.data' }]
    const { slug } = await service.createFlow({ ...document, edges })
    const run = await service.run(`${slug}?a=1&a=2`, '{}', { headers: { 'x-mine': 'yes' }, key: null })
    const request = JSON.parse(run.steps[1]!.outputs!.parsed_text as string)
    assert.deepEqual(
      [request.method, request.query, request.headers['x-mine']],
      ['POST', { a: ['1', '2'] }, 'yes']
    )
    assert.doesNotMatch(JSON.stringify(request), UUID)
  })

  it('have the decorators of the context on the request, the reply and the instance', async (t) => {
    const service = await startWith(t, {
      'sales.ts': `export default async function sales (context) {
        context.decorate('team', 'sales')
        context.decorateRequest('answer', 42)
        context.decorateReply('sign', function () { return this.header('x-signed', 'yes') })
        context.addHook('preHandler', async function (request, reply) {
          reply.sign().header('x-answer', request.answer + ' ' + this.team)
        })
      }`
    })
    await makeContext(service, '/sales/data')
    const inside = await service.createFlow(flowIn('/sales/data'))
    const answer = await service.webhook(inside.slug)
    assert.deepEqual([answer.headers.get('x-answer'), answer.headers.get('x-signed')], ['42 sales', 'yes'])
    assert.equal((await service.webhook('orders')).headers.get('x-answer'), null)
  })

  it('may answer by themselves, and change the answer on its way out', async (t) => {
    const service = await startWith(t, {
      'sales.ts': `export default async function sales (context) {
        context.addHook('onRequest', async (request, reply) => {
          if (request.headers['x-ping']) return reply.code(204).send()
        })
        context.addHook('onSend', async (request, reply, payload) => payload && payload.replace('Task', 'Order'))
      }`
    })
    const { slug } = await service.createFlow(flowIn('/sales'))
    assert.equal((await service.webhook(slug, '{}', { headers: { 'x-ping': '1' } })).status, 204)
    assert.match((await service.webhook(slug)).text, /"Order started in the background"/)
    const { runs } = (await service.get(`/api/v1/runs?flow_id=${slug}`)).json<{ runs: unknown[] }>()
    assert.equal(runs.length, 1, 'what a hook answers starts nothing')
  })

  it('refuse with the status that they choose, as a problem document', async (t) => {
    const service = await startWith(t, {
      'sales.ts': `export default async function sales (context) {
        context.addHook('onRequest', async (request, reply) => {
          const [how, status] = (request.headers['x-refuse'] ?? '').split(' ')
          const error = new Error('Refused here.')
          if (how === 'reply') reply.code(Number(status))
          if (how === 'error') Object.assign(error, { statusCode: Number(status), headers: { 'retry-after': '7' } })
          if (how) throw error
        })
        context.get('/till', async () => 'open')
      }`
    })
    const { slug } = await service.createFlow(flowIn('/sales'))
    const refuse = (how: string) => ({ headers: { 'x-refuse': how } })
    for (const status of [401, 403, 404, 409, 429, 503]) {
      for (const how of ['reply', 'error']) {
        const send: [where: string, answer: Answer][] = [
          ['webhook', await service.webhook(slug, '{}', refuse(`${how} ${status}`))],
          ['route', await service.get('/till', refuse(`${how} ${status}`))]
        ]
        for (const [where, answer] of send) {
          const { detail } = problemOf(answer, status, 'refused_by_plugin')
          assert.equal(detail, 'Refused here.', where)
          if (how === 'error') assert.equal(answer.headers.get('retry-after'), '7')
        }
      }
    }
    problemOf(await service.webhook(slug, '{}', refuse('error 400')), 400, 'bad_request')
    for (const how of ['plain', 'reply 500', 'error 500']) {
      const { detail } = problemOf(await service.webhook(slug, '{}', refuse(how)), 500, 'internal_error')
      assert.doesNotMatch(detail, /Refused/)
    }
  })

  it('see the body as bytes, and what they put in its place becomes the payload', async (t) => {
    const service = await startWith(t, {
      'sales.ts': `export default async function sales (context) {
        const makes = {
          object: (body) => ({ sent: body.toString() }), list: () => [1, 'two'], text: () => '{"n":1}', number: () => 7.5,
          false: () => false, null: () => null, bytes: () => Buffer.from('{"n":1.10}'), typed: () => new Uint8Array([0x37]),
          date: () => new Date(0), same: (body) => body, nothing: () => undefined
        }
        context.addHook('preHandler', async (request) => {
          if (request.body !== undefined && !Buffer.isBuffer(request.body)) throw new Error('no bytes')
          request.body = makes[request.headers['x-make']](request.body)
        })
      }`
    })
    const { slug } = await service.createFlow(flowIn('/sales', undefined, NONE))
    const inputOf = async (make: string, body: string) =>
      (await service.run(slug, body, { headers: { 'x-make': make } })).steps[0]!.outputs!.data
    const rows: [make: string, payload: unknown][] = [
      ['object', { sent: '{"a":1}' }],
      ['list', [1, 'two']],
      ['text', '{"n":1}'],
      ['number', 7.5],
      ['false', false],
      ['null', null],
      ['bytes', { n: 1.1 }],
      ['typed', 7],
      ['date', '1970-01-01T00:00:00.000Z'],
      ['same', { a: 1 }],
      ['nothing', { payload: '' }]
    ]
    for (const [make, payload] of rows) assert.deepEqual(await inputOf(make, '{"a":1}'), payload, make)
    assert.deepEqual(await inputOf('number', ''), 7.5, 'where nothing was sent')
  })

  it('leave a signature good, which is of what was sent', async (t) => {
    const service = await startWith(t, {
      'sales.ts': `export default async function sales (context) {
        context.addHook('preHandler', async (request) => { request.body = { sent: JSON.parse(request.body) } })
      }`
    })
    const secret = 'a secret of the sender'
    const signed = { auth: 'Signature', signature_scheme: 'GitHub', signing_secret: secret }
    const { slug } = await service.createFlow(flowIn('/sales', undefined, signed))
    const signature = (body: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
    const sent = (body: string) => ({ key: null, headers: { 'x-hub-signature-256': signature(body) } })
    const run = await service.run(slug, '{"a":1}', sent('{"a":1}'))
    assert.deepEqual(run.steps[0]!.outputs!.data, { sent: { a: 1 } })
    problemOf(await service.webhook(slug, '{"a":1}', sent('{"sent":{"a":1}}')), 401, 'unauthorized')
  })

  it('that put there what is not JSON are named in the log', async (t) => {
    const lines: string[] = []
    const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
    const source = `export default async function sales (context) {
      context.addHook('preHandler', async (request) => { request.body = {}; request.body.self = request.body })
    }`
    const service = await startWith(t, { 'sales.ts': source }, { log })
    const { slug } = await service.createFlow(flowIn('/sales'))
    problemOf(await service.webhook(slug), 500, 'internal_error')
    assert.match(lines.join(''), /A hook replaced the body of a webhook by what cannot be written as JSON/)
  })

  it('come with parsers of their own for their routes, and the webhook still keeps every byte', async (t) => {
    const service = await startWith(t, {
      'sales.ts': `export default async function sales (context) {
        const drop = (request, payload, done) => { payload.resume().on('end', () => done(null, { dropped: true })) }
        context.removeAllContentTypeParsers()
        for (const type of ['*', 'application/json', 'application/octet-stream']) context.addContentTypeParser(type, drop)
        context.post('/till', async (request) => request.body)
      }`
    })
    const { slug } = await service.createFlow(flowIn('/sales'))
    assert.deepEqual((await service.post('/till', { a: 1 })).json(), { dropped: true })
    for (const type of ['application/json', 'application/octet-stream', 'text/plain', 'no type']) {
      const run = await service.run(slug, '{"n":1.10}', { headers: { 'content-type': type } })
      assert.equal(run.steps[1]!.outputs!.parsed_text, '{\n  "n": 1.10\n}', type)
    }
  })

  it('come with an error handler for what they throw, and what the webhook refuses reads as everywhere', async (t) => {
    const service = await startWith(t, {
      'sales.ts': `export default async function sales (context) {
        context.setErrorHandler((error, request, reply) => reply.code(499).send('sales: ' + error.message))
        context.setReplySerializer(() => 'sales')
        context.addHook('preHandler', async (request) => { if (request.headers['x-no']) throw new Error('no') })
        context.get('/till', async () => { throw new Error('empty') })
      }`
    })
    const { slug } = await service.createFlow(flowIn('/sales'))
    const absent = await service.webhook('absent', '{}', { key: null })
    const guarded = await service.webhook(slug, '{}', { key: null })
    assert.deepEqual([guarded.status, guarded.text], [absent.status, absent.text])
    assert.equal(guarded.headers.get('content-type'), absent.headers.get('content-type'))
    problemOf(await service.webhook(slug, 'x'.repeat(2_000_000)), 413, 'body_too_large')
    assert.equal((await service.webhook(slug)).json().message, 'Task started in the background')
    const thrown = await service.webhook(slug, '{}', { headers: { 'x-no': '1' } })
    assert.deepEqual([thrown.status, thrown.text], [499, 'sales: no'])
    assert.deepEqual(
      [(await service.get('/till')).status, (await service.get('/till')).text],
      [499, 'sales: empty']
    )
  })

  it('come with an answer of their own for unknown addresses below their prefix, and for no others', async (t) => {
    const service = await startWith(t, {
      'sales.ts': `export default async function sales (context) {
        context.setNotFoundHandler((request, reply) => reply.code(404).send('nowhere at all'))
        context.register(async function shop (shop) {
          shop.get('/till', async () => 'till')
          shop.setNotFoundHandler((request, reply) => reply.code(404).send('not sold here'))
        }, { prefix: '/shop' })
      }`
    })
    const unknown = await service.get('/shop/cellar')
    assert.deepEqual([unknown.status, unknown.text], [404, 'not sold here'])
    for (const path of ['/cellar', '/api/v1/cellar'])
      problemOf(await service.get(path), 404, 'route_not_found')
  })

  it('hold above a context whose plugin failed to load, where its parent let that pass', async (t) => {
    const service = await startWith(t, {
      'sales.ts': `export default async function sales (context) {
        context.addHook('onRequest', async (request, reply) => reply.code(401).send('guarded'))
        context.register(async function eu () { throw new Error('no map') }).after((error) => {})
      }`
    })
    await makeContext(service, '/sales/eu/data')
    for (const path of ['/sales/eu', '/sales/eu/data']) {
      const { slug } = await service.createFlow(flowIn(path, undefined, NONE))
      assert.equal((await service.webhook(slug)).text, 'guarded', path)
    }
  })
})
