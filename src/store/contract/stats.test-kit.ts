import assert from 'node:assert/strict'
import type { ModelUsage } from '../model-usage.ts'
import type { RunStats } from '../stats.ts'
import type { EndStatus, Store } from '../store.ts'
import { sampleChild } from './sample-children.test-kit.ts'
import {
  acceptAndEnd,
  beforeAndAfterRestart,
  type OpenSubject,
  sampleOutcome,
  sampleRun,
  storeTest
} from './subject.test-kit.ts'

const NONE: RunStats = { succeeded: 0, failed: 0, cancelled: 0, open: 0, p50: null, p99: null, usage: [] }

function endAfter(
  store: Store,
  createdAt: number,
  ms: number,
  more: { flowId?: string; status?: EndStatus } = {}
) {
  const { flowId = 'flow-a', status = 'succeeded' } = more
  const startedAt = createdAt + 3
  return acceptAndEnd(store, { createdAt, flowId }, { status, startedAt, finishedAt: startedAt + ms })
}

function assertNear(told: number | null, exact: number): void {
  assert.ok(told !== null && Math.abs(told - exact) <= exact / 20, `${told} is told for ${exact}`)
}

export function statsContract(open: OpenSubject): void {
  storeTest(open, 'runs are counted by when they were accepted and what came of them', async (subject) => {
    const { store } = subject
    await endAfter(store, 999, 1)
    await endAfter(store, 1000, 10)
    await endAfter(store, 1099, 20, { status: 'failed' })
    await endAfter(store, 1100, 5, { status: 'cancelled' })
    await store.runs.accept(sampleRun({ createdAt: 1199 }))
    await endAfter(store, 1300, 1)
    const expected: RunStats[] = [
      { ...NONE, succeeded: 1, failed: 1, p50: 10, p99: 20 },
      { ...NONE, cancelled: 1, open: 1, p50: 5, p99: 5 },
      NONE
    ]
    for await (const each of beforeAndAfterRestart(subject)) {
      assert.deepEqual(await each.runs.stats({ from: 1000, width: 100, spans: 3 }), expected)
    }
  })

  storeTest(open, 'only the runs of the flows in question count', async ({ store }) => {
    for (const flowId of ['flow-a', 'flow-b', 'flow-b', 'flow-c']) await endAfter(store, 1000, 1, { flowId })
    const counted = async (flowIds?: string[]) =>
      (await store.runs.stats({ from: 1000, width: 10, spans: 1, ...(flowIds && { flowIds }) }))[0]!.succeeded
    assert.equal(await counted(), 4)
    assert.equal(await counted(['flow-b']), 2)
    assert.equal(await counted(['flow-a', 'flow-b']), 3)
    assert.equal(await counted(['flow-z']), 0)
    assert.equal(await counted([]), 0)
  })

  storeTest(open, 'durations are told to a twentieth, of runs that were started', async ({ store }) => {
    for (let n = 1; n <= 100; n++) await endAfter(store, 1000, n * 37)
    await acceptAndEnd(
      store,
      { createdAt: 1000 },
      { status: 'cancelled', startedAt: null, finishedAt: 900_000 }
    )
    const [stats] = await store.runs.stats({ from: 1000, width: 1, spans: 1 })
    assert.deepEqual([stats!.succeeded, stats!.cancelled], [100, 1])
    assertNear(stats!.p50, 50 * 37)
    assertNear(stats!.p99, 99 * 37)
  })

  storeTest(open, 'runs count whatever the clock did between them', async ({ store }) => {
    for (const createdAt of [5000, 1000, 3000, 1000]) await endAfter(store, createdAt, 1)
    const spans = await store.runs.stats({ from: 1000, width: 2000, spans: 3 })
    assert.deepEqual(
      spans.map((span) => span.succeeded),
      [2, 1, 1]
    )
  })

  storeTest(open, 'where there is no run, every span is empty', async ({ store }) => {
    assert.deepEqual(await store.runs.stats({ from: 0, width: 1, spans: 2 }), [NONE, NONE])
    await endAfter(store, 1000, 1)
    assert.deepEqual(await store.runs.stats({ from: 2000, width: 1, spans: 2 }), [NONE, NONE])
  })

  storeTest(open, 'tokens of models are summed up by model, in the span of their runs', async (subject) => {
    const { store } = subject
    const large = { model: 'large', input: 10, cached: 4, output: 2 }
    const small = { model: 'small', input: 1, cached: 0, output: 5_000_000_000 }
    const use = (createdAt: number, flowId: string, usage: readonly ModelUsage[]) =>
      acceptAndEnd(store, { createdAt, flowId }, { usage })
    await use(999, 'flow-a', [large])
    await use(1000, 'flow-a', [large, small])
    await use(1099, 'flow-b', [large])
    await use(1150, 'flow-b', [])
    await use(1200, 'flow-b', [small])
    const question = { from: 1000, width: 100, spans: 3 }
    for await (const each of beforeAndAfterRestart(subject)) {
      const used = async (flowIds?: string[]) =>
        (await each.runs.stats({ ...question, ...(flowIds && { flowIds }) })).map(({ usage }) => usage)
      const both = { model: 'large', input: 20, cached: 8, output: 4 }
      assert.deepEqual(await used(), [[both, small], [], [small]])
      assert.deepEqual(await used(['flow-b']), [[large], [], [small]])
      assert.deepEqual(await used(['flow-z']), [[], [], []])
    }
  })

  storeTest(open, 'a hundred models are told apart, those that used most', async ({ store }) => {
    const used = (model: string, input: number) => ({ model, input, cached: 1, output: 1 })
    const most = Array.from({ length: 99 }, (_, n) => used(`most ${n}`, 100))
    await acceptAndEnd(store, { createdAt: 1000 }, { usage: [...most, used('a', 1), used('b', 2)] })
    await acceptAndEnd(store, { createdAt: 1100 }, { usage: [used('a', 50), used('c', 3)] })
    const [first, second] = await store.runs.stats({ from: 1000, width: 100, spans: 2 })
    const byName = [...most].sort((one, other) => (one.model < other.model ? -1 : 1))
    assert.deepEqual(first!.usage, [used('a', 1), ...byName, used('other', 2)])
    assert.deepEqual(second!.usage, [used('a', 50), used('other', 3)])
  })

  storeTest(open, 'what children used counts once, in the flow that they are runs of', async ({ store }) => {
    const usage = [{ model: 'large', input: 10, cached: 0, output: 2 }]
    const parent = await store.runs.accept(sampleRun({ createdAt: 1000 }))
    const child = (index: number) => sampleChild(parent, { index }, { createdAt: 1000, flowId: 'flow-b' })
    const rules = { atOnce: 1, stopsOnFailure: false }
    const [begun] = (await store.runs.startChildren(parent, 'each-1', [child(0)], rules))!
    await store.runs.end(begun!, sampleOutcome({ usage }))
    await store.runs.recordChildren(parent, 'each-1', [
      { child: child(1), outcome: sampleOutcome({ usage }) }
    ])
    await store.runs.end(parent, sampleOutcome())
    const used = async (flowIds?: string[]) =>
      (await store.runs.stats({ from: 1000, width: 1, spans: 1, ...(flowIds && { flowIds }) }))[0]!
    const both = [{ model: 'large', input: 20, cached: 0, output: 4 }]
    assert.deepEqual([(await used()).succeeded, (await used()).usage], [1, both])
    assert.deepEqual((await used(['flow-a'])).usage, [])
    assert.deepEqual((await used(['flow-b'])).usage, both)
  })

  storeTest(
    open,
    'what a run used counts once where it was retried, and goes with the run',
    async ({ store }) => {
      const { runs } = store
      const first = { model: 'large', input: 10, cached: 0, output: 2 }
      const all = { model: 'large', input: 15, cached: 3, output: 4 }
      const used = async () => (await runs.stats({ from: 1000, width: 1, spans: 1 }))[0]!.usage
      const run = await acceptAndEnd(store, { createdAt: 1000 }, { status: 'failed', usage: [first] })
      await runs.reopen(run, '"again"')
      assert.deepEqual(await used(), [first], 'it is paid for, whatever comes of the run')
      await runs.end(run, sampleOutcome({ usage: [all] }))
      assert.deepEqual(await used(), [all])
      await runs.prune({ keep: 0, slice: 10 })
      assert.deepEqual(await used(), [])
    }
  )
}
