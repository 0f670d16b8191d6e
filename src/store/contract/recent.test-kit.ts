import assert from 'node:assert/strict'
import type { RunSummary } from '../store.ts'
import {
  acceptAndEnd,
  acceptMany,
  beforeAndAfterRestart,
  type OpenSubject,
  sampleOutcome,
  sampleRun,
  storeTest
} from './subject.test-kit.ts'

const idsOf = (runs: readonly { id: string }[] | undefined) => (runs ?? []).map((run) => run.id)

export function recentContract(open: OpenSubject): void {
  storeTest(open, 'each flow has its newest runs, newest first', async (subject) => {
    const { store } = subject
    const busy = await acceptMany(store, 7, { flowId: 'busy' })
    const quiet = await acceptMany(store, 2, { flowId: 'quiet' })
    await acceptMany(store, 5, { flowId: 'busy' })
    const later = await acceptMany(store, 3, { flowId: 'busy' })
    for await (const each of beforeAndAfterRestart(subject)) {
      const recent = await each.runs.recent(['busy', 'quiet', 'never'], 3)
      assert.deepEqual(idsOf(recent.get('busy')), idsOf(later).reverse())
      assert.deepEqual(idsOf(recent.get('quiet')), idsOf(quiet).reverse())
      assert.deepEqual(idsOf(recent.get('never')), [])
      assert.equal((await each.runs.recent(['busy'], 50)).get('busy')?.length, 15)
      assert.equal((await each.runs.recent(['busy'], 50)).get('busy')?.at(-1)?.id, busy[0]!.id)
      assert.deepEqual([...(await each.runs.recent([], 3))], [])
    }
  })

  storeTest(open, 'what happens after the first look is seen by the next', async ({ store }) => {
    const first = await store.runs.accept(sampleRun())
    const look = async (): Promise<RunSummary[]> =>
      (await store.runs.recent(['flow-a'], 10)).get('flow-a') ?? []
    assert.deepEqual(
      (await look()).map((run) => run.outcome),
      [null]
    )
    await store.runs.end(first, sampleOutcome({ status: 'failed', error: '{"message":"no"}' }))
    const second = await store.runs.accept(sampleRun())
    const [newest, oldest, ...more] = await look()
    assert.deepEqual(more, [])
    assert.deepEqual([newest!.id, newest!.outcome, newest!.firstEntry], [second.id, null, null])
    assert.deepEqual([oldest!.id, oldest!.outcome?.status], [first.id, 'failed'])
    const { input, request, ...facts } = second
    assert.deepEqual(newest, { ...facts, outcome: null, firstEntry: null })
  })

  storeTest(open, 'looks at the same time see the same, and nothing twice', async ({ store }) => {
    const runs = await acceptMany(store, 5)
    const looks = await Promise.all([1, 2, 3].map(() => store.runs.recent(['flow-a'], 50)))
    for (const recent of looks) assert.deepEqual(idsOf(recent.get('flow-a')), idsOf(runs).reverse())
    await acceptMany(store, 1)
    assert.equal((await store.runs.recent(['flow-a'], 50)).get('flow-a')?.length, 6)
  })

  storeTest(open, 'deleted runs are not among them', async ({ store }) => {
    const runs = [await acceptAndEnd(store), await acceptAndEnd(store), await acceptAndEnd(store)]
    await store.runs.recent(['flow-a'], 10)
    await store.runs.prune({ keep: 1, slice: 10 })
    assert.deepEqual(idsOf((await store.runs.recent(['flow-a'], 10)).get('flow-a')), [runs[2]!.id])
  })
}
