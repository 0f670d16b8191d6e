import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problemOf, type RunBody } from './support/api-client.ts'
import { pluginFiles } from './support/contexts.ts'
import { anythingFlow, callFlow, ORDER, ordersFlow } from './support/documents.ts'
import { startOutside } from './support/outside.ts'
import { cancel, metric, statuses } from './support/run-control.ts'
import { pluginPaths, serviceOfFile, startService } from './support/service.ts'

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
