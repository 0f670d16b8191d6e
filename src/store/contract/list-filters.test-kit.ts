import assert from 'node:assert/strict'
import type { AcceptedRun, EndStatus, RunFilter, Store } from '../store.ts'
import { listedIds, type OpenSubject, sampleOutcome, sampleRun, storeTest } from './subject.test-kit.ts'

interface Known {
  readonly run: AcceptedRun
  readonly status: EndStatus | 'open'
  readonly text: string
}

/** Sixty runs of three flows in all states, accepted by a clock that was set back in the middle. */
export async function variety(store: Store): Promise<Known[]> {
  const known: Known[] = []
  const states = ['succeeded', 'open', 'failed', 'succeeded', 'cancelled'] as const
  for (let n = 0; n < 60; n++) {
    const text = n % 7 === 0 ? 'needle' : 'hay'
    const run = await store.runs.accept(
      sampleRun({
        flowId: `flow-${'abc'[n % 3]}`,
        createdAt: n < 30 ? 1000 + n : 980 + n,
        input: Buffer.from(JSON.stringify({ text }))
      })
    )
    const status = states[n % 5]!
    if (status !== 'open') await store.runs.end(run, sampleOutcome({ status }))
    known.push({ run, status, text })
  }
  return known
}

export function expected(known: readonly Known[], filter: Omit<RunFilter, 'limit'>): string[] {
  const { flowIds, status, text, since = 0, until = Number.POSITIVE_INFINITY } = filter
  const matches = known.filter(
    (each) =>
      (flowIds?.includes(each.run.flowId) ?? true) &&
      (status === undefined || each.status === status) &&
      (text === undefined || each.text === text) &&
      each.run.createdAt >= since &&
      each.run.createdAt < until
  )
  return matches.map((each) => each.run.id).reverse()
}

function* everyFilter(): Generator<Omit<RunFilter, 'limit'>> {
  for (const flowIds of [undefined, [], ['flow-b'], ['flow-c', 'flow-a'], ['flow-z']]) {
    for (const status of [undefined, 'open', 'succeeded', 'failed', 'cancelled'] as const) {
      for (const text of [undefined, 'needle']) {
        for (const since of [undefined, 1005, 5000]) {
          for (const until of [undefined, 1005, 1020]) {
            yield {
              ...(flowIds && { flowIds }),
              ...(status && { status }),
              ...(text && { text }),
              ...(since && { since }),
              ...(until && { until })
            }
          }
        }
      }
    }
  }
}

export function filterContract(open: OpenSubject): void {
  storeTest(open, 'filters combine: each combination finds exactly its runs', async ({ store }) => {
    const known = await variety(store)
    for (const filter of everyFilter()) {
      const ids = expected(known, filter)
      assert.deepEqual(await listedIds(store, { ...filter, limit: 7 }), ids, JSON.stringify(filter))
      const page = await store.runs.list({ ...filter, limit: 3 })
      assert.deepEqual(
        page.runs.map((run) => run.id),
        ids.slice(0, 3)
      )
    }
  })

  storeTest(open, 'since is inclusive, until is not', async ({ store }) => {
    const run = await store.runs.accept(sampleRun({ createdAt: 1000 }))
    assert.deepEqual(await listedIds(store, { since: 1000 }), [run.id])
    assert.deepEqual(await listedIds(store, { since: 1001 }), [])
    assert.deepEqual(await listedIds(store, { until: 1000 }), [])
    assert.deepEqual(await listedIds(store, { until: 1001 }), [run.id])
  })

  storeTest(open, 'a filter follows the run through its states', async ({ store }) => {
    const run = await store.runs.accept(sampleRun())
    assert.deepEqual(await listedIds(store, { status: 'open' }), [run.id])
    await store.runs.park(run, '"wait"', 1)
    assert.deepEqual(await listedIds(store, { status: 'open' }), [run.id])
    await store.runs.end(run, sampleOutcome({ status: 'failed' }))
    assert.deepEqual(await listedIds(store, { status: 'open' }), [])
    assert.deepEqual(await listedIds(store, { status: 'failed' }), [run.id])
    await store.runs.reopen(run, '"again"')
    assert.deepEqual(await listedIds(store, { status: 'failed' }), [])
    assert.deepEqual(await listedIds(store, { status: 'open' }), [run.id])
  })
}
