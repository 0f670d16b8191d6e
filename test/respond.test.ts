import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { systemClock } from '../src/clock.ts'
import { answerAfterCallFlow, answerFlow, unansweredFlow } from './support/answering-flows.ts'
import { problemOf } from './support/api-client.ts'
import { startOutside } from './support/outside.ts'
import { type Service, serviceOfFile, startService } from './support/service.ts'

const shared = serviceOfFile({ plugins: ['call.ts'] })

const JSON_TYPE = 'application/json; charset=utf-8'
const PICTURE = '{"base64":"AAEC","content_type":"image/png"}'
const ORDER = '{"order_id":7,"customer":"Zoë"}'

function runIdOf(location: string | null): string {
  return /^\/api\/v1\/runs\/([\w-]+)$/.exec(location ?? '')![1]!
}

describe('a flow that answers its caller', () => {
  it('sends the status, the headers and the body that it says', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(
      answerFlow({
        status: '{code}',
        headers: { 'X-Order': '{order_id}', 'Cache-Control': 'max-age=60' },
        body: { order: '{order_id}', for: 'Dear {customer}' }
      })
    )
    const answer = await service.webhook(slug, '{"order_id":7,"customer":"Zoë","code":201}')
    assert.deepEqual([answer.status, answer.text], [201, '{"order":7,"for":"Dear Zoë"}'])
    const told = (name: string) => answer.headers.get(name)
    assert.equal(told('content-type'), 'application/json; charset=utf-8')
    assert.equal(told('x-order'), '7')
    assert.equal(told('cache-control'), 'max-age=60')
    assert.equal(told('content-security-policy'), 'sandbox')
    assert.equal(told('x-content-type-options'), 'nosniff')
    const run = await service.readRun(runIdOf(told('location')))
    assert.equal(run.status, 'succeeded')
  })

  const BODIES: readonly [string, Record<string, unknown>, string, [number, string | null, string]][] = [
    ['the data as JSON', {}, ORDER, [200, 'application/json; charset=utf-8', ORDER]],
    ['text', { body: 'Hello {customer}' }, ORDER, [200, 'text/plain; charset=utf-8', 'Hello Zoë']],
    [
      'a page',
      { body: '<b>{customer}</b>', content_type: 'text/html' },
      ORDER,
      [200, 'text/html; charset=utf-8', '<b>Zoë</b>']
    ],
    ['a text as JSON', {}, '"plain"', [200, 'application/json; charset=utf-8', '"plain"']],
    [
      'a text as it is',
      { content_type: 'text/plain' },
      '"plain"',
      [200, 'text/plain; charset=utf-8', 'plain']
    ],
    ['the bytes of base64', {}, PICTURE, [200, 'image/png', '\0\u0001\u0002']],
    ['base64 as JSON', { content_type: 'application/json' }, PICTURE, [200, JSON_TYPE, PICTURE]],
    ['nothing', { status: '204' }, ORDER, [204, null, '']],
    [
      'a status that an earlier node gave',
      { status: '{$nodes.webhook-1.data.code}', body: 'made' },
      '{"code":201}',
      [201, 'text/plain; charset=utf-8', 'made']
    ],
    ['no content of an error', { status: '404', body: 'no' }, ORDER, [404, 'text/plain; charset=utf-8', 'no']]
  ]
  for (const [name, fields, body, expected] of BODIES) {
    it(`answers ${name}`, async (t) => {
      const service = await shared(t)
      const { slug } = await service.createFlow(answerFlow(fields))
      const headers = { 'idempotency-key': 'the long way' }
      for (const options of [{}, { headers }, { headers }]) {
        const answer = await service.webhook(slug, body, options)
        assert.deepEqual([answer.status, answer.headers.get('content-type'), answer.text], expected)
        assert.match(answer.headers.get('location')!, /^\/api\/v1\/runs\//)
      }
    })
  }

  it('redirects, with its own Location', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(
      answerFlow({ status: '303', headers: { Location: 'https://example.com/thanks?order={order_id}' } })
    )
    const answer = await service.webhook(slug, ORDER)
    assert.deepEqual(
      [answer.status, answer.headers.get('location')],
      [303, 'https://example.com/thanks?order=7']
    )
  })

  it('gives a long answer whole, also to a duplicate', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(answerFlow())
    const body = JSON.stringify({ text: 'ü'.repeat(300_000) })
    const headers = { 'idempotency-key': 'long' }
    const first = await service.webhook(slug, body, { headers })
    const second = await service.webhook(slug, body, { headers })
    assert.deepEqual([first.text === body, second.text === body], [true, true])
    assert.equal(second.headers.get('idempotent-replayed'), 'true')
  })

  it('refuses headers that are not its own to set, and a status that is none', async (t) => {
    const service = await shared(t)
    for (const [fields, why] of [
      [{ headers: { 'Set-Cookie': 'millrace_session=1' } }, /Set-Cookie/],
      [{ headers: { 'Content-Length': '3' } }, /Content-Length/],
      [{ headers: { 'Access-Control-Allow-Origin': '*' } }, /Access-Control-Allow-Origin/],
      [{ status: '99' }, /It is "99"\. Write a number from 200/],
      [{ status: '200.0' }, /It is "200\.0"\./]
    ] as const) {
      const refused = await service.post('/api/v1/flows', answerFlow(fields))
      assert.match(problemOf(refused, 422, 'flow_invalid').detail, why)
    }
    const { slug } = await service.createFlow(answerFlow({ headers: { 'X-Name': '{name}' } }))
    const answer = await service.webhook(slug, JSON.stringify({ name: 'a\r\nSet-Cookie: b=1' }))
    problemOf(answer, 500, 'run_failed')
    assert.equal(answer.headers.get('set-cookie'), null)
  })

  it('answers by its first Respond, and goes on after it', async (t) => {
    const service = await shared(t)
    const outside = await startOutside(t)
    const flow = answerAfterCallFlow(outside.url(), { body: 'second' })
    const first = { id: 'first', type: 'respond', fields: { body: 'first {order_id}' } }
    const { slug } = await service.createFlow({
      ...flow,
      nodes: [...flow.nodes, first],
      edges: [
        { from: 'webhook-1.data', to: 'first.data' },
        { from: 'first.data', to: 'call-1.data' },
        { from: 'call-1.data', to: 'respond-1.data' }
      ]
    })
    const answer = await service.webhook(slug, ORDER)
    assert.deepEqual([answer.status, answer.text], [200, 'first 7'])
    const id = runIdOf(answer.headers.get('location'))
    const call = await outside.next()
    assert.equal((await service.readRun(id)).status, 'in progress')
    call.answer({ ok: true })
    const run = await service.waitForRun(id)
    const second = run.steps.find(({ node }) => node === 'respond-1')
    assert.deepEqual([run.status, second?.outputs], ['succeeded', { data: { ok: true } }])
  })
})

describe('a flow that ends without a Respond', () => {
  it('answers what its Return got, as JSON', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(unansweredFlow('return'))
    const answer = await service.webhook(slug, '{"n":12345678901234567890}')
    assert.deepEqual([answer.status, answer.text], [200, '{"n":12345678901234567890}'])
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  })

  it('answers 204 where it has no Return', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(unansweredFlow('parser', { mode: 'Stringify' }))
    const answer = await service.webhook(slug, ORDER)
    assert.deepEqual([answer.status, answer.text], [204, ''])
    assert.match(answer.headers.get('location')!, /runs/)
  })

  it('answers 500 where it failed, and tells which run and no more', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(unansweredFlow('stop', { message: 'The secret is out' }))
    const answer = await service.webhook(slug, ORDER)
    const problem = problemOf(answer, 500, 'run_failed')
    assert.equal((problem as { run_id?: string }).run_id, runIdOf(answer.headers.get('location')))
    assert.ok(!answer.text.includes('secret'))
  })

  it('answers 500 where it was cancelled', async (t) => {
    const service = await shared(t)
    const outside = await startOutside(t)
    const { slug, id } = await service.createFlow(answerAfterCallFlow(outside.url()))
    const waiting = service.webhook(slug, ORDER)
    await outside.next()
    const [run] = (await service.get(`/api/v1/runs?flow_id=${id}`)).json<{ runs: { id: string }[] }>().runs
    await service.post(`/api/v1/runs/${run!.id}/cancel`)
    problemOf(await waiting, 500, 'run_cancelled')
  })

  it('is told to have started when the time is over, and goes on', async (t) => {
    const service = await shared(t)
    const outside = await startOutside(t)
    const { slug } = await service.createFlow(
      answerAfterCallFlow(outside.url(), {}, { respond_within: '1s' })
    )
    const answer = await service.webhook(slug, ORDER)
    assert.deepEqual([answer.status, answer.headers.get('connection')], [202, 'close'])
    const { run_id, status } = answer.json<{ run_id: string; status: string }>()
    assert.equal(status, 'in progress')
    ;(await outside.next()).answer({ late: true })
    assert.equal((await service.waitForRun(run_id)).status, 'succeeded')
  })

  it('is answered 202 at once while its flow is paused', async (t) => {
    const service = await shared(t)
    const { slug, id } = await service.createFlow(answerFlow())
    await service.post(`/api/v1/flows/${id}/pause`, { mode: 'hold' })
    const answer = await service.webhook(slug, ORDER)
    assert.equal(answer.status, 202)
    await service.post(`/api/v1/flows/${id}/resume`)
    await service.waitForRun(answer.json<{ run_id: string }>().run_id)
  })
})

describe('a duplicate', () => {
  it('gets the answer of the first, also while that is on its way', async (t) => {
    const service = await shared(t)
    const outside = await startOutside(t)
    const { slug } = await service.createFlow(answerAfterCallFlow(outside.url(), { status: '201' }))
    const send = () => service.webhook(slug, ORDER, { headers: { 'idempotency-key': 'same' } })
    const first = send()
    const call = await outside.next()
    const second = send()
    call.answer({ made: 1 })
    const answers = [await first, await second, await send()]
    assert.deepEqual(
      answers.map(({ status, text, headers }) => [status, text, headers.get('idempotent-replayed')]),
      [
        [201, '{"made":1}', null],
        [201, '{"made":1}', 'true'],
        [201, '{"made":1}', 'true']
      ]
    )
    assert.equal(outside.calls.length, 1)
  })

  it('gets it after a restart, too', async (t) => {
    const first = await startService(t)
    const { slug } = await first.createFlow(answerFlow({ status: '203', body: 'Order {order_id}' }))
    const headers = { 'idempotency-key': 'same' }
    const told = await first.webhook(slug, ORDER, { headers })
    await first.stop()
    const again = await startService(t, { home: first.home })
    const answer = await again.webhook(slug, ORDER, { headers })
    assert.deepEqual([answer.status, answer.text], [told.status, told.text])
    assert.equal(answer.headers.get('location'), told.headers.get('location'))
  })
})

describe('a caller that waits', () => {
  it('may say for how long', async (t) => {
    const service = await shared(t)
    const outside = await startOutside(t)
    const { slug } = await service.createFlow(answerAfterCallFlow(outside.url()))
    const answer = await service.webhook(slug, ORDER, { headers: { prefer: 'wait=1' } })
    assert.deepEqual([answer.status, answer.headers.get('preference-applied')], [202, 'wait=1'])
    ;(await outside.next()).answer()
  })

  it('may go away: the run goes on', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const { slug, id } = await service.createFlow(answerAfterCallFlow(outside.url()))
    const request = httpRequest(`${service.address}/api/v1/webhook/${slug}`, { method: 'POST' })
    request.on('error', () => {}).end(ORDER)
    const call = await outside.next()
    request.destroy()
    call.answer({ ok: true })
    const [run] = (await service.get(`/api/v1/runs?flow_id=${id}`)).json<{ runs: { id: string }[] }>().runs
    assert.equal((await service.waitForRun(run!.id)).status, 'succeeded')
  })

  it('for long leaves nothing but its connection to the service, which answers on that, and knows when it goes', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const { slug } = await service.createFlow(answerAfterCallFlow(outside.url()))
    const before = await connectionsTo(service)
    const address = `${service.address}/api/v1/webhook/${slug}`
    const callers = [{}, { 'idempotency-key': 'the long way' }, {}].map((headers) =>
      httpRequest(address, { method: 'POST', agent: false, headers }).end(ORDER)
    )
    const calls = [await outside.next(), await outside.next(), await outside.next()]
    while ((await connectionsTo(service)) !== before) await setImmediate()
    callers[2]!.on('error', () => {}).destroy()
    const answers = callers.slice(0, 2).map((caller) => once(caller, 'response'))
    for (const call of calls) call.answer({ ok: 'Zoë' })
    const told = await Promise.all(
      answers.map(async (answer) => {
        const [response] = (await answer) as [IncomingMessage]
        return [response.statusCode, response.headers.connection, await text(response)]
      })
    )
    const whole = [200, 'close', '{"ok":"Zoë"}']
    assert.deepEqual(told, [whole, whole])
  })

  it('is told that its run has started when the service stops', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const { slug } = await service.createFlow(answerAfterCallFlow(outside.url()))
    const waiting = service.webhook(slug, ORDER)
    const call = await outside.next()
    const stopped = service.stop()
    assert.equal((await waiting).status, 202)
    call.answer()
    await stopped
  })

  it('for long gets all of its answer where the service stops meanwhile', async (t) => {
    // Who reads it takes as long as it takes.
    const clock = {
      ...systemClock(),
      after: (ms: number) => (ms === 1_000 ? new Promise<void>(() => {}) : systemClock().after(ms))
    }
    const service = await startService(t, { plugins: ['call.ts'], clock })
    const outside = await startOutside(t)
    const body = '{$nodes.webhook-1.data.payload}'
    const { slug } = await service.createFlow(answerAfterCallFlow(outside.url(), { body }))
    const before = await connectionsTo(service)
    const headers = { 'content-type': 'application/pdf' }
    const address = `${service.address}/api/v1/webhook/${slug}`
    const caller = httpRequest(address, { method: 'POST', agent: false, headers })
    caller.end(Buffer.alloc(20_000_000, '%'))
    const call = await outside.next()
    while ((await connectionsTo(service)) !== before) await setImmediate()
    const answer = once(caller, 'response')
    call.answer()
    const [response] = (await answer) as [IncomingMessage]
    assert.equal(response.statusCode, 200)
    let isRead = false
    const stopped = service.stop().then(() => assert.ok(isRead, 'it stopped before the answer was read'))
    await once(service.runtime.app.server, 'close')
    let length = 0
    for await (const part of response) length += part.length
    isRead = true
    assert.equal(length, 20_000_000)
    await stopped
  })
})

function connectionsTo({ runtime }: Service): Promise<number> {
  return new Promise((resolve) => runtime.app.server.getConnections((_, count) => resolve(count)))
}
