import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ApiClient, problemOf, type RunBody } from './support/api-client.ts'
import { pluginFiles } from './support/contexts.ts'
import { anythingFlow, callFlow, ORDER, ordersFlow } from './support/documents.ts'
import { startOutside } from './support/outside.ts'
import { pluginPaths, serviceOfFile, shiftedClock, startService } from './support/service.ts'

const START = ['message', 'status', 'run_id']

const shared = serviceOfFile({ plugins: ['call.ts'] })

describe('cancel', () => {
  it('ends a queued run before it begins', async (t) => {
    const service = await shared(t)
    const outside = await startOutside(t)
    const flow = await service.createFlow(callFlow(outside.url(), { webhook: { concurrency: 1 } }))
    const first = await service.start(flow.slug)
    const held = await outside.next()
    const queued = await service.start(flow.slug)
    const last = await service.start(flow.slug)
    assert.equal((await service.readRun(queued)).status, 'queued')
    const run = await cancel(service, queued)
    assert.equal(run.status, 'cancelled')
    assert.deepEqual(statuses(run), ['not reached', 'not reached', 'not reached'])
    held.answer()
    const next = await outside.next()
    assert.equal(next.headers['idempotency-key'], `${last}/call-1`, 'the cancelled run makes no call')
    next.answer()
    assert.equal((await service.waitForRun(first)).status, 'succeeded')
    assert.equal((await service.waitForRun(last)).status, 'succeeded')
    assert.equal(outside.calls.length, 2)
    assert.equal((await service.readRun(queued)).status, 'cancelled')
  })

  it('of a queued run calls none of its hooks and steps but onRunEnd, once', async (t) => {
    const hooks = await pluginFiles(t, {
      'hooks.mjs': `export default Object.assign(async function hooks (context) {
        const calls = []
        const note = (name) => (run) => void calls.push(name + ' ' + run.input)
        context.addRunHook('onRunStart', note('start'))
        context.addRunHook('onStep', (step, next) => (note('step')(step.run), next()))
        context.addRunHook('onRunEnd', note('end'))
        context.component({
          type: 'calls', title: 'Calls', inputs: { data: { title: 'Data', type: 'any' } },
          outputs: { data: { title: 'Data', type: 'any' } }, run: async () => ({ data: [...calls] })
        })
      }, { [Symbol.for('skip-override')]: true })`
    })
    const service = await startService(t, {
      env: { MILLRACE_PLUGINS: `${pluginPaths(['call.ts'])},${hooks}` }
    })
    const outside = await startOutside(t)
    const flow = await service.createFlow(callFlow(outside.url(), { webhook: { concurrency: 1 } }))
    const first = await service.start(flow.slug, '1')
    const held = await outside.next()
    const queued = await service.start(flow.slug, '2')
    assert.equal((await cancel(service, queued)).started_at, null)
    held.answer()
    await service.waitForRun(first)
    outside.answerAll(() => ({}))
    await service.run(flow.slug, '3')
    const { nodes } = anythingFlow()
    const telling = await service.createFlow({
      name: 'Calls',
      nodes: [nodes[0], { id: 'calls', type: 'calls' }],
      edges: [{ from: 'webhook-1.data', to: 'calls.data' }]
    })
    const told = await service.run(telling.slug, '4')
    const calls = told.steps.find(({ node }) => node === 'calls')!.outputs!.data as string[]
    assert.deepEqual(
      calls.filter((call) => call.endsWith(' 2')),
      ['end 2']
    )
    assert.ok(calls.includes('end 3'), 'others are told of as ever')
  })

  it('ends a run in the middle of an external step, and aborts the step', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const flow = await service.createFlow(callFlow(outside.url()))
    const id = await service.start(flow.slug)
    const call = await outside.next()
    const run = await cancel(service, id)
    assert.equal(run.status, 'cancelled')
    assert.deepEqual(statuses(run), ['succeeded', 'cancelled', 'not reached'])
    assert.equal(run.error, null)
    assert.ok(run.finished_at !== null)
    await call.gone
    assert.deepEqual(await service.readRun(id), run)
    assert.equal(await metric(service, 'millrace_runs_total{status="cancelled"}'), 1)
    assert.equal(await metric(service, 'millrace_backlog_runs'), 0)
  })

  it('ends a run that waits for its next attempt', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    outside.answerAll(() => ({ status: 500 }))
    const retry = { attempts: 5, backoff_ms: 3_600_000 }
    const flow = await service.createFlow(callFlow(outside.url(), { call: { retry } }))
    const events = await service.events(flow.id)
    const id = await service.start(flow.slug)
    await events.until(({ event }) => event === 'step.waiting')
    assert.equal((await service.readRun(id)).status, 'in progress')
    const run = await cancel(service, id)
    assert.equal(run.status, 'cancelled')
    assert.deepEqual(statuses(run), ['succeeded', 'cancelled', 'not reached'])
    assert.equal(run.steps[1]!.attempts, 1)
    assert.equal(await metric(service, 'millrace_backlog_runs'), 0)
    const told = await events.until(({ event }) => event === 'run.ended')
    assert.equal(told.at(-1)!.data.status, 'cancelled')
  })

  it('is not needed to make room: what waits for its next attempt does not count', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'], env: { MILLRACE_BACKLOG_LIMIT: '5' } })
    const outside = await startOutside(t)
    outside.answerAll(() => ({ status: 500 }))
    const retry = { attempts: 5, backoff_ms: 3_600_000 }
    const flow = await service.createFlow(callFlow(outside.url(), { call: { retry } }))
    const events = await service.events(flow.id)
    for (let run = 0; run < 5; run++) await service.start(flow.slug)
    let waiting = 0
    await events.until(({ event }) => event === 'step.waiting' && ++waiting === 5)
    assert.equal((await service.run('orders', JSON.stringify(ORDER))).status, 'succeeded')
  })

  it('refuses a run that has ended with 409', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    for (const body of [JSON.stringify(ORDER), '{}']) {
      const run = await service.run(flow.slug, body)
      problemOf(await service.post(`/api/v1/runs/${run.id}/cancel`), 409, 'run_already_ended')
      assert.deepEqual(await service.readRun(run.id), run)
    }
  })

  it('is done once, however often it is asked for', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const flow = await service.createFlow(callFlow(outside.url()))
    const id = await service.start(flow.slug)
    await outside.next()
    const answers = await Promise.all([1, 2, 3].map(() => service.post(`/api/v1/runs/${id}/cancel`)))
    for (const answer of answers) assert.ok([200, 409].includes(answer.status), answer.text)
    assert.ok(answers.some(({ status }) => status === 200))
    assert.equal((await service.readRun(id)).status, 'cancelled')
    assert.equal(await metric(service, 'millrace_backlog_runs'), 0)
    assert.equal(await metric(service, 'millrace_runs_total{status="cancelled"}'), 1)
    problemOf(await service.post(`/api/v1/runs/${id}/cancel`), 409, 'run_already_ended')
  })
})

describe('retry', () => {
  it('goes on from the failed step, on the same version, and calls nothing that succeeded again', async (t) => {
    const service = await shared(t)
    const outside = await startOutside(t)
    let isMended = false
    outside.answerAll(({ path }) => ({ status: path === '/b' && !isMended ? 400 : 200, body: { path } }))
    const flow = await service.createFlow(twoCalls(outside.url('/a'), outside.url('/b')))
    const failed = await service.run(flow.slug, '{"n":1.10}')
    assert.equal(failed.status, 'failed')
    assert.equal(failed.error!.node, 'b')
    assert.match(failed.error!.message, /answered 400/)
    assert.deepEqual(statuses(failed), ['succeeded', 'succeeded', 'failed', 'not reached'])
    await service.saveFlow(flow, { nodes: [], edges: [], name: 'Another version' })
    isMended = true
    const answer = await service.post(`/api/v1/runs/${failed.id}/retry`, undefined, {
      headers: { prefer: 'wait=30' }
    })
    assert.equal(answer.status, 202, answer.text)
    assert.deepEqual(Object.keys(answer.json()), START)
    assert.equal(answer.json().run_id, failed.id)
    assert.equal(answer.json().status, 'succeeded')
    assert.equal(answer.headers.get('location'), `/api/v1/runs/${failed.id}`)
    const run = await service.readRun(failed.id)
    assert.equal(run.status, 'succeeded')
    assert.equal(run.flow_version, 1)
    assert.equal(run.error, null)
    assert.deepEqual(statuses(run), ['succeeded', 'succeeded', 'succeeded', 'succeeded'])
    assert.equal(run.steps[2]!.attempts, 2)
    assert.deepEqual(
      outside.calls.map(({ path }) => path),
      ['/a', '/b', '/b']
    )
    const keys = outside.calls.map(({ headers }) => headers['idempotency-key'])
    assert.deepEqual(keys, [`${run.id}/a`, `${run.id}/b`, `${run.id}/b`], 'attempts share their key')
  })

  it('does not count the time until then as that of the run', async (t) => {
    const { clock, advance } = shiftedClock()
    const service = await startService(t, { plugins: ['call.ts'], clock })
    const outside = await startOutside(t)
    let isMended = false
    outside.answerAll(() => {
      advance(2_000)
      return { status: isMended ? 200 : 400 }
    })
    const flow = await service.createFlow(callFlow(outside.url()))
    const failed = await service.run(flow.slug)
    isMended = true
    advance(3_600_000)
    await service.post(`/api/v1/runs/${failed.id}/retry`, undefined, { headers: { prefer: 'wait=30' } })
    const run = await service.readRun(failed.id)
    assert.equal(run.status, 'succeeded')
    const took = Date.parse(run.finished_at!) - Date.parse(run.started_at!)
    assert.ok(took >= 4_000 && took < 1_000_000, `${took} ms`)
  })

  it('may fail again, and be retried again', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    outside.answerAll(() => ({ status: 400 }))
    const flow = await service.createFlow(callFlow(outside.url()))
    const { id } = await service.run(flow.slug)
    for (const attempts of [2, 3]) {
      const headers = { prefer: 'wait=30' }
      const answer = await service.post(`/api/v1/runs/${id}/retry`, undefined, { headers })
      assert.equal(answer.json().status, 'failed')
      assert.equal((await service.readRun(id)).steps[1]!.attempts, attempts)
    }
    assert.equal(outside.calls.length, 3)
    assert.equal(await metric(service, 'millrace_backlog_runs'), 0)
  })

  it('takes up a cancelled run too', async (t) => {
    const service = await shared(t)
    const outside = await startOutside(t)
    const flow = await service.createFlow(callFlow(outside.url()))
    const id = await service.start(flow.slug)
    await outside.next()
    await cancel(service, id)
    assert.equal((await service.post(`/api/v1/runs/${id}/retry`)).status, 202)
    const call = await outside.next()
    call.answer({ again: true })
    const run = await service.waitForRun(id)
    assert.equal(run.status, 'succeeded')
    assert.deepEqual(run.steps[1]!.outputs, { data: { again: true } })
  })

  it('prints no message a second time', async (t) => {
    const service = await shared(t)
    const outside = await startOutside(t)
    let isMended = false
    outside.answerAll(() => ({ status: isMended ? 200 : 400 }))
    const { nodes, edges, ...rest } = ordersFlow()
    const flow = await service.createFlow({
      ...rest,
      nodes: [...nodes, { id: 'call-1', type: 'call', fields: { url: outside.url() } }],
      edges: [...edges, { from: 'chat-output-1.message', to: 'call-1.data' }]
    })
    const { id } = await service.run(flow.slug, JSON.stringify(ORDER))
    isMended = true
    await service.post(`/api/v1/runs/${id}/retry`, undefined, { headers: { prefer: 'wait=30' } })
    assert.equal((await service.readRun(id)).status, 'succeeded')
    const { messages } = (await service.get(`/api/v1/flows/${flow.id}/messages`)).json<{
      messages: { text: string }[]
    }>()
    assert.deepEqual(
      messages.map(({ text }) => text),
      ['Order 7 from Ann']
    )
  })

  it('refuses a run that succeeded or goes on with 409', async (t) => {
    const service = await shared(t)
    const outside = await startOutside(t)
    const flow = await service.createFlow(callFlow(outside.url()))
    const id = await service.start(flow.slug)
    const call = await outside.next()
    problemOf(await service.post(`/api/v1/runs/${id}/retry`), 409, 'run_not_retryable')
    call.answer()
    await service.waitForRun(id)
    problemOf(await service.post(`/api/v1/runs/${id}/retry`), 409, 'run_not_retryable')
    assert.equal(outside.calls.length, 1)
  })

  it('is done once, however often it is asked for', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    outside.answerAll(() => ({ status: 400 }))
    const flow = await service.createFlow(callFlow(outside.url()))
    const { id } = await service.run(flow.slug)
    const answers = await Promise.all([1, 2, 3].map(() => service.post(`/api/v1/runs/${id}/retry`)))
    const accepted = answers.filter(({ status }) => status === 202).length
    for (const answer of answers) assert.ok([202, 409].includes(answer.status), answer.text)
    await service.waitForRun(id)
    assert.equal(outside.calls.length, 1 + accepted)
    assert.equal(await metric(service, 'millrace_backlog_runs'), 0)
  })

  it('goes on by itself where the node allows attempts, and the run says how many it took', async (t) => {
    const service = await shared(t)
    const outside = await startOutside(t)
    outside.answerAll(() => ({ status: outside.calls.length < 3 ? 503 : 200 }))
    const retry = { attempts: 3, backoff_ms: 1 }
    const flow = await service.createFlow(callFlow(outside.url(), { call: { retry } }))
    const run = await service.waitForRun(await service.start(flow.slug))
    assert.equal(run.status, 'succeeded')
    assert.equal(run.steps[1]!.attempts, 3)
    assert.deepEqual(
      outside.calls.map(({ headers }) => headers['x-attempt']),
      ['1', '2', '3']
    )
  })
})

describe('replay', () => {
  it('runs the same bytes again on the live version and answers like the webhook', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(anythingFlow())
    const sent = '{"n": 12345678901234567890, "p": 1.10}'
    const before = await service.run(flow.slug, sent, { headers: { 'x-shop': 'north' } })
    await service.saveFlow(flow, { name: 'Next' })
    const answer = await service.post(`/api/v1/runs/${before.id}/replay`, undefined, {
      headers: { prefer: 'wait=30' }
    })
    assert.equal(answer.status, 202, answer.text)
    const { run_id } = answer.json<{ run_id: string }>()
    assert.equal(
      answer.text,
      `{"message":"Task started in the background","status":"succeeded","run_id":"${run_id}"}`
    )
    assert.equal(answer.headers.get('location'), `/api/v1/runs/${run_id}`)
    assert.notEqual(run_id, before.id)
    const { text } = await service.get(`/api/v1/runs/${run_id}`)
    assert.ok(text.includes('"input":{"n":12345678901234567890,"p":1.10}'), text)
    const run = JSON.parse(text) as RunBody
    assert.equal(run.replay_of, before.id)
    assert.equal(run.flow_version, 2)
    assert.equal(run.trigger, 'webhook')
    const { headers } = run.steps[0]!.outputs!.request as { headers: Record<string, string> }
    assert.equal(headers['x-shop'], 'north', 'the request is the same one')
    assert.deepEqual(await service.readRun(before.id), before, 'the run before stays as it was')
  })

  it('runs an edited input, digits kept', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(anythingFlow())
    const before = await service.run(flow.slug, '{"n":1}')
    for (const input of ['{"n":12345678901234567890,"p":1.10}', 'null', '"text"', '0', 'false', '[]']) {
      const answer = await service.request('POST', `/api/v1/runs/${before.id}/replay`, {
        body: Buffer.from(`{"input": ${input}}`),
        headers: { 'content-type': 'application/json', prefer: 'wait=30' }
      })
      assert.equal(answer.json().status, 'succeeded')
      const { text } = await service.get(answer.headers.get('location')!)
      assert.ok(text.includes(`"input":${input},`), text)
    }
    for (const body of [['x'], { inputs: 1 }, { input: 1, more: 2 }]) {
      problemOf(await service.post(`/api/v1/runs/${before.id}/replay`, body), 422, 'invalid_request')
    }
  })

  it('runs a failed run that another version mends', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    const failed = await service.run(flow.slug, '{"order_id":7}')
    assert.equal(failed.status, 'failed')
    const nodes = flow.nodes.map((node) =>
      node.id === 'parser-1' ? { ...node, fields: { template: 'Order {order_id}' } } : node
    )
    await service.saveFlow(flow, { nodes })
    const headers = { prefer: 'wait=30' }
    const answer = await service.post(`/api/v1/runs/${failed.id}/replay`, undefined, { headers })
    assert.equal(answer.json().status, 'succeeded')
    assert.equal((await service.readRun(failed.id)).status, 'failed')
  })
})

function twoCalls(a: string, b: string) {
  return {
    name: 'Two calls',
    nodes: [
      { id: 'webhook-1', type: 'webhook' },
      { id: 'a', type: 'call', fields: { url: a } },
      { id: 'b', type: 'call', fields: { url: b } },
      { id: 'parser-1', type: 'parser', fields: { mode: 'Stringify' } }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'a.data' },
      { from: 'a.data', to: 'b.data' },
      { from: 'b.data', to: 'parser-1.data' }
    ]
  }
}

async function cancel(service: ApiClient, id: string): Promise<RunBody> {
  const answer = await service.post(`/api/v1/runs/${id}/cancel`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json<RunBody>()
}

function statuses(run: RunBody): string[] {
  return run.steps.map(({ status }) => status)
}

async function metric(service: ApiClient, name: string): Promise<number> {
  const { text } = await service.get('/metrics')
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `))
  return Number(line?.slice(name.length))
}
