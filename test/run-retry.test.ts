import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problemOf } from './support/api-client.ts'
import { callFlow, ORDER, ordersFlow } from './support/documents.ts'
import { startOutside } from './support/outside.ts'
import { cancel, metric, statuses } from './support/run-control.ts'
import { serviceOfFile, shiftedClock, startService } from './support/service.ts'

const START = ['message', 'status', 'run_id']

const shared = serviceOfFile({ plugins: ['call.ts'] })

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
