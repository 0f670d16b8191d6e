import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Clock, systemClock } from '../src/clock.ts'
import { startWith } from './support/contexts.ts'
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

describe('an output that its component spoils after it has returned it', () => {
  /** `keep` gives an object, and `spoil`, which runs beside it and longer, makes that contain itself. */
  const spoiler = `export default async function spoiler (context) {
    const kept = new Map()
    let counted = 0
    const data = { data: { title: 'Data', type: 'any' } }
    const ports = { inputs: data, outputs: data }
    context.component({ type: 'count', title: 'Count', ...ports, run: async () => ({ data: ++counted }) })
    context.component({
      type: 'keep', title: 'Keep', effects: 'pure', ...ports,
      run: async ({ run }) => {
        kept.set(run.id, { plain: true })
        return { data: kept.get(run.id) }
      }
    })
    context.component({
      type: 'spoil', title: 'Spoil', ...ports, fields: { fails: { kind: 'boolean', title: 'Fails' } },
      run: async ({ run, fields }) => {
        kept.get(run.id).self = kept.get(run.id)
        if (fields.fails) throw new Error('not now')
      }
    })
  }`

  function spoilFlow(fails: boolean) {
    const position = { x: 0, y: 0 }
    const retry = { attempts: 2, backoff_ms: 3_600_000 }
    return {
      name: 'Spoil',
      slug: 'spoil',
      context: '/spoiler',
      nodes: [
        { id: 'webhook', type: 'webhook', position, fields: {} },
        { id: 'count', type: 'count', position, fields: {} },
        { id: 'keep', type: 'keep', position, fields: {} },
        { id: 'spoil', type: 'spoil', position, fields: { fails }, retry }
      ],
      edges: [
        { from: 'webhook.data', to: 'count.data' },
        { from: 'count.data', to: 'keep.data' },
        { from: 'count.data', to: 'spoil.data' }
      ]
    }
  }

  it('fails its own run and nothing else, when the run is to wait', async (t) => {
    const service = await startWith(t, { 'spoiler.ts': spoiler })
    const { slug } = await service.createFlow(spoilFlow(true))
    const run = await service.run(slug, '{}')
    assert.deepEqual([run.status, run.error!.node, run.error!.code], ['failed', 'keep', 'output_not_json'])
    assert.match(run.error!.message, /contains itself.*stay plain data/)
    const statuses = Object.fromEntries(run.steps.map(({ node, status }) => [node, status]))
    assert.deepEqual(statuses, {
      webhook: 'succeeded',
      count: 'succeeded',
      keep: 'failed',
      spoil: 'cancelled'
    })
    const next = await service.run('orders', '{"order_id":1,"customer":"A"}')
    assert.equal(next.status, 'succeeded')
  })

  it('fails its own run when that ends, and a retry does nothing again that was done', async (t) => {
    const service = await startWith(t, { 'spoiler.ts': spoiler })
    const { slug } = await service.createFlow(spoilFlow(false))
    const run = await service.run(slug, '{}')
    assert.deepEqual([run.status, run.error!.node], ['failed', 'keep'])
    const prefer = { headers: { prefer: 'wait=30' } }
    const answer = await service.post(`/api/v1/runs/${run.id}/retry`, undefined, prefer)
    assert.equal(answer.json().status, 'succeeded', answer.text)
    const { steps } = await service.readRun(run.id)
    assert.deepEqual(
      steps.slice(1).map(({ node, attempts, outputs }) => [node, attempts, outputs]),
      [
        ['count', 1, { data: 1 }],
        ['keep', 2, { data: { plain: true } }],
        ['spoil', 1, {}]
      ]
    )
  })
})
