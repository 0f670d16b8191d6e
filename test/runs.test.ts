import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problemOf, type RunBody } from './support/api-client.ts'
import { callFlow, chatFlow, ORDER, ordersFlow } from './support/documents.ts'
import { startOutside } from './support/outside.ts'
import { startService } from './support/service.ts'

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('a run', () => {
  it('is read with every member of the contract', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(ordersFlow())
    const run = await service.run(flow.slug, JSON.stringify(ORDER))
    assert.equal(run.flow_id, flow.id)
    assert.equal(run.flow_version, 1)
    assert.equal(run.trigger, 'webhook')
    assert.equal(run.status, 'succeeded')
    for (const time of [run.created_at, run.started_at!, run.finished_at!]) assert.match(time, ISO)
    assert.ok(run.created_at <= run.started_at! && run.started_at! <= run.finished_at!)
    assert.deepEqual(run.input, ORDER)
    assert.equal(run.error, null)
    const step = run.steps[1]!
    assert.deepEqual(Object.keys(step).sort(), [
      'attempts',
      'duration_ms',
      'error',
      'node',
      'outputs',
      'started_at',
      'status',
      'type'
    ])
    const { node, type, status, attempts, outputs, error } = step
    assert.deepEqual(
      { node, type, status, attempts, outputs, error },
      {
        node: 'parser-1',
        type: 'parser',
        status: 'succeeded',
        attempts: 1,
        outputs: { parsed_text: 'Order 7 from Ann' },
        error: null
      }
    )
    assert.match(step.started_at!, ISO)
    assert.ok(typeof step.duration_ms === 'number' && step.duration_ms >= 0)
  })

  it('that fails names the node, says what to do, and marks what it did not reach', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(ordersFlow())
    const run = await service.run(flow.slug, '{"order_id":7,"costumer":"Ann"}')
    assert.equal(run.status, 'failed')
    assert.equal(run.error!.node, 'parser-1')
    assert.match(run.error!.message, /parser-1.*customer.*costumer/s)
    assert.ok(run.error!.code.length > 0)
    assert.deepEqual(
      run.steps.map((step) => [step.node, step.status]),
      [
        ['webhook-1', 'succeeded'],
        ['parser-1', 'failed'],
        ['chat-output-1', 'not reached']
      ]
    )
    assert.equal(run.steps[1]!.error!.code, run.error!.code)
    assert.equal(run.steps[2]!.outputs, null)
  })

  it('of data that the Parser cannot read suggests Stringify', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(ordersFlow())
    for (const body of ['null', '7', '"text"', '[1]']) {
      const run = await service.run(flow.slug, body)
      assert.equal(run.status, 'failed', body)
      assert.match(run.error!.message, /Stringify/, body)
    }
  })

  it('that nobody knows is 404, whatever its id looks like', async (t) => {
    const service = await startService(t)
    const absent = await service.get('/api/v1/runs/01900000-0000-7000-8000-000000000000')
    problemOf(absent, 404, 'run_not_found')
    for (const id of ['x', '%00', "';--", '%F0%9F%98%80']) {
      assert.equal((await service.get(`/api/v1/runs/${id}`)).text, absent.text, id)
    }
    for (const action of ['cancel', 'retry', 'replay']) {
      problemOf(await service.post(`/api/v1/runs/x/${action}`), 404, 'run_not_found')
    }
  })

  it('is `in progress` while a step reaches outside, and shows what its checkpoints tell', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const flow = await service.createFlow(callFlow(outside.url()))
    const id = await service.start(flow.slug, '{"n":1.10}')
    const call = await outside.next()
    assert.equal(call.body, '{"n":1.10}')
    const run = await service.readRun(id)
    assert.equal(run.status, 'in progress')
    assert.match(run.started_at!, ISO)
    assert.equal(run.finished_at, null)
    assert.deepEqual(
      run.steps.slice(0, 2).map((step) => [step.node, step.status]),
      [
        ['webhook-1', 'succeeded'],
        ['call-1', 'in progress']
      ]
    )
    call.answer()
    assert.equal((await service.waitForRun(id)).status, 'succeeded')
  })

  it('is started and waited for by POST /api/v1/run/{flow}, which answers the finished run', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(ordersFlow())
    for (const name of [flow.slug, flow.id]) {
      const answer = await service.post(`/api/v1/run/${name}`, { input: ORDER })
      assert.equal(answer.status, 200, answer.text)
      const run = answer.json<RunBody>()
      assert.equal(run.trigger, 'api')
      assert.equal(run.status, 'succeeded')
      assert.deepEqual(run.input, ORDER)
      assert.deepEqual(run.steps[1]!.outputs, { parsed_text: 'Order 7 from Ann' })
      assert.deepEqual(await service.readRun(run.id), run)
    }
    const exact = { body: Buffer.from('{"input":{"order_id":12345678901234567890,"customer":1.10}}') }
    const headers = { 'content-type': 'application/json' }
    const answer = await service.request('POST', `/api/v1/run/${flow.slug}`, { ...exact, headers })
    assert.ok(answer.text.includes('"input":{"order_id":12345678901234567890,"customer":1.10}'), answer.text)
    assert.ok(answer.text.includes('"parsed_text":"Order 12345678901234567890 from 1.10"'), answer.text)
    const failed = await service.post(`/api/v1/run/${flow.slug}`)
    assert.equal(failed.status, 200)
    assert.equal(failed.json<RunBody>().status, 'failed')
    problemOf(await service.post('/api/v1/run/absent', { input: 1 }), 404, 'flow_not_found')
    problemOf(await service.post(`/api/v1/run/${flow.slug}`, [1]), 422, 'invalid_request')
    const unframed = problemOf(await service.post(`/api/v1/run/${flow.slug}`, ORDER), 422, 'invalid_request')
    assert.match(unframed.detail, /"order_id"\. Send the payload as \{"input": …\}/)
    const chat = await service.createFlow(chatFlow())
    const turn = (await service.post(`/api/v1/run/${chat.slug}`, { input: 'hello' })).json<RunBody>()
    assert.deepEqual(turn.steps.at(-1)!.outputs, { message: 'You said: hello' })
  })

  it('survives a restart as it was', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(ordersFlow())
    const good = await service.run(flow.slug, '{"order_id":12345678901234567890,"customer":1.10}')
    const bad = await service.run(flow.slug, 'not json')
    const before = await Promise.all([good, bad].map(({ id }) => service.get(`/api/v1/runs/${id}`)))
    await service.stop()
    const again = await startService(t, { home: service.home })
    const after = await Promise.all([good, bad].map(({ id }) => again.get(`/api/v1/runs/${id}`)))
    assert.deepEqual(
      after.map(({ text }) => text),
      before.map(({ text }) => text)
    )
  })
})
