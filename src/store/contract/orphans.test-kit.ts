import assert from 'node:assert/strict'
import { isSharedStore } from '../shared-store.ts'
import type { AcceptedRun, EndStatus, Store } from '../store.ts'
import { RULES, sampleChildren } from './sample-children.test-kit.ts'
import { type OpenSubject, sampleOutcome, sampleRun, storeTest } from './subject.test-kit.ts'

/** A child that was opened again by itself after its parent had ended so, and it with it. */
async function retriedChild(store: Store, parentStatus: EndStatus) {
  const parent = await store.runs.accept(sampleRun())
  const [child] = (await store.runs.startChildren(parent, 'each-1', sampleChildren(parent, 1), RULES))!
  await store.runs.end(parent, sampleOutcome({ status: parentStatus }))
  await store.runs.end(child!, sampleOutcome({ status: 'cancelled' }))
  assert.ok((await store.runs.reopen(child!, '"again"')) !== null)
  return { parent, child: child! }
}

/** Who is orphaned is the same whoever asks: see ChildStore.isOrphaned. */
export function orphanContract(open: OpenSubject): void {
  for (const status of ['failed', 'cancelled'] as const) {
    storeTest(
      open,
      `one that is retried below a run that ${status} is parked until its time`,
      async ({ store }) => {
        const { parent, child } = await retriedChild(store, status)
        assert.ok((await store.runs.park(child, '"wait"', 5_000)) !== null)
        assert.equal(await store.runs.nextDue(0), 5_000)
        assert.deepEqual(await store.runs.orphanedBelow(parent.seq, 10), [])
      }
    )

    storeTest(
      open,
      `one that is retried below a run that ${status} goes on where it is executed`,
      async ({ store }) => {
        if (!isSharedStore(store)) return
        const { child } = await retriedChild(store, status)
        const claimed = await store.queue.claim([{ flowId: child.flowId, most: 1, limit: null }])
        assert.deepEqual(
          [claimed.length, await store.queue.heartbeat(claimed)],
          [1, { lost: [], cancelled: [] }]
        )
      }
    )

    storeTest(
      open,
      `what one starts that is retried below a run that ${status} goes on where it is executed, until that one is cancelled`,
      async ({ store }) => {
        if (!isSharedStore(store)) return
        const { child } = await retriedChild(store, status)
        await store.runs.startChildren(child, 'each-1', sampleChildren(child, 1), RULES)
        const claimed = await store.queue.claim([{ flowId: 'flow-b', most: 2, limit: null }])
        assert.deepEqual(
          [claimed.length, await store.queue.heartbeat(claimed)],
          [2, { lost: [], cancelled: [] }]
        )
        const [upper, lower] = claimed.toSorted((one, other) => one.seq - other.seq)
        await store.runs.end(upper!, sampleOutcome({ status: 'cancelled' }))
        assert.deepEqual(await store.queue.heartbeat([lower!]), { lost: [], cancelled: [lower] })
      }
    )
  }

  storeTest(
    open,
    'what one dropped that is retried by itself is orphaned, also below a cancelled run',
    async ({ store }) => {
      const { parent, child } = await retriedChild(store, 'cancelled')
      const below = sampleChildren(child, 2)
      const [lower] = (await store.runs.startChildren(child, 'each-1', below, RULES))!
      const orphaned = async (run: AcceptedRun) =>
        (await store.runs.orphanedBelow(run.seq, 10)).map(({ seq }) => seq)
      assert.deepEqual([await orphaned(parent), await store.runs.isOrphaned(lower!.seq)], [[], false])
      await store.runs.dropChildren(child, 'each-1')
      const seqs = (await store.runs.children(child.seq, 'each-1', 0, 10)).map(({ seq }) => seq)
      assert.deepEqual([await orphaned(parent), await orphaned(child)], [seqs, seqs])
      assert.equal(await store.runs.isOrphaned(lower!.seq), true)
    }
  )
}
