import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Clock, systemClock } from '../src/clock.ts'
import { callFlow } from './support/documents.ts'
import { startOutside } from './support/outside.ts'
import { startService } from './support/service.ts'

describe('steps', () => {
  it('that do not depend on each other run at the same time, and the run waits for all', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const flow = await service.createFlow(branches(outside.url('/a'), outside.url('/b')))
    const id = await service.start(flow.slug)
    const calls = await Promise.all([outside.next(), outside.next()])
    assert.deepEqual(calls.map(({ path }) => path).sort(), ['/a', '/b'])
    for (const call of calls) call.answer()
    const run = await service.waitForRun(id)
    assert.equal(run.status, 'succeeded')
  })

  it('under way when another one fails come to their end, and the run names the one that failed', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const flow = await service.createFlow(branches(outside.url('/a'), outside.url('/b')))
    const events = await service.events(flow.id)
    const id = await service.start(flow.slug)
    const [first, second] = await Promise.all([outside.next(), outside.next()])
    const [a, b] = first.path === '/a' ? [first, second] : [second, first]
    a.answer({}, 400)
    const isA = (data: Record<string, unknown>) => (data.step as { node?: string })?.node === 'a'
    await events.until(({ event, data }) => event === 'step.settled' && isA(data))
    b.answer({ late: true })
    const run = await service.waitForRun(id)
    assert.equal(run.status, 'failed')
    assert.equal(run.error!.node, 'a')
    const byNode = Object.fromEntries(run.steps.map((step) => [step.node, step]))
    assert.deepEqual([byNode.a!.status, byNode.b!.status], ['failed', 'succeeded'])
    assert.deepEqual(byNode.b!.outputs, { data: { late: true } })
  })

  it('that take too long fail and are aborted', async (t) => {
    const { clock, fire } = clockWithLimit(50)
    const service = await startService(t, { plugins: ['call.ts'], clock })
    const outside = await startOutside(t)
    const flow = await service.createFlow(callFlow(outside.url(), { call: { timeout_ms: 50 } }))
    const id = await service.start(flow.slug)
    const call = await outside.next()
    fire()
    const run = await service.waitForRun(id)
    assert.equal(run.status, 'failed')
    assert.equal(run.error!.node, 'call-1')
    assert.match(run.error!.message, /50 ms.*timeout_ms/)
    await call.gone
  })
})

describe('attempts of a step', () => {
  it('are all told, with what they failed of and when the next one is made', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const retry = { attempts: 2, backoff_ms: 1 }
    const flow = await service.createFlow(callFlow(outside.url(), { call: { retry } }))
    const id = await service.start(`${flow.slug}?shop=eu`)
    for (const status of [503, 200]) (await outside.next()).answer({}, status)
    const run = await service.waitForRun(id)
    assert.deepEqual(run.request!.query, { shop: 'eu' })
    const [first, second, ...others] = run.attempts
    assert.deepEqual(others, [])
    assert.deepEqual([first!.node, first!.attempt, first!.error!.code], ['call-1', 1, 'call_refused'])
    assert.deepEqual([second!.node, second!.attempt, second!.error], ['call-1', 2, null])
    const times = [
      first!.started_at,
      first!.ended_at,
      first!.retry_at,
      second!.started_at,
      second!.ended_at
    ] as string[]
    assert.deepEqual(times, times.toSorted())
  })
})

describe("the Webhook's concurrency", () => {
  it('bounds the runs that go on at the same time', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const flow = await service.createFlow(callFlow(outside.url(), { webhook: { concurrency: 2 } }))
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.push(await service.start(flow.slug, String(n)))
    for (let n = 0; n < 5; n++) {
      const call = await outside.next()
      assert.equal(call.body, String(n), 'in the order of acceptance')
      assert.ok(outside.calls.length <= n + 2)
      call.answer()
    }
    for (const id of ids) assert.equal((await service.waitForRun(id)).status, 'succeeded')
  })
})

/** The time of a step that may take so long is over when the test says so: its call has arrived by then. */
function clockWithLimit(limitMs: number): { clock: Clock; fire: () => void } {
  const real = systemClock()
  let fire = (): void => assert.fail('no step has begun')
  const startTimer: Clock['startTimer'] = (ms, then) => {
    if (ms !== limitMs) return real.startTimer(ms, then)
    fire = then
    return { stop: () => {} }
  }
  return { clock: { ...real, startTimer }, fire: () => fire() }
}

/** Webhook → two calls that know nothing of each other. */
function branches(a: string, b: string) {
  return {
    name: 'Branches',
    nodes: [
      { id: 'webhook-1', type: 'webhook' },
      { id: 'a', type: 'call', fields: { url: a } },
      { id: 'b', type: 'call', fields: { url: b } }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'a.data' },
      { from: 'webhook-1.data', to: 'b.data' }
    ]
  }
}
