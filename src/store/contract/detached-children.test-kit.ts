import assert from 'node:assert/strict'
import type { AcceptedRun, RunRef, Store } from '../store.ts'
import {
  ALL,
  FAILED,
  idsOf,
  parentRef,
  RULES,
  sampleChild,
  sampleChildren,
  take,
  waitingParent
} from './sample-children.test-kit.ts'
import {
  beforeAndAfterRestart,
  type OpenSubject,
  sampleOutcome,
  sampleRun,
  storeTest
} from './subject.test-kit.ts'

export function detachedContract(open: OpenSubject): void {
  const detached = async (store: Store, parent: AcceptedRun) =>
    (await store.runs.startDetached(parent, sampleChild(parent, { node: 'call-1', isAwaited: false })))!

  storeTest(open, 'a child that nobody waits for outlives its parent', async ({ store, reopen }) => {
    const parent = await store.runs.accept(sampleRun())
    const child = await detached(store, parent)
    assert.deepEqual(child.parent, parentRef(parent, { node: 'call-1', isAwaited: false }))
    await store.runs.park(child, '"pause"', 3e12)
    await store.runs.end(parent, FAILED)
    const again = await reopen()
    assert.equal(await again.runs.isOrphaned(child.seq), false)
    assert.deepEqual(await again.runs.flowsDue(2e12), [])
    assert.equal(await again.runs.nextDue(0), 3e12)
  })

  storeTest(open, 'a cancelled parent takes all below it along', async ({ store, reopen }) => {
    const parent = await store.runs.accept(sampleRun())
    const child = await detached(store, parent)
    const grandchild = await detached(store, child)
    await store.runs.park(child, '"call"', null, ['call-1'])
    await store.runs.end(parent, sampleOutcome({ status: 'cancelled', finishedAt: 6_000 }))
    const again = await reopen()
    assert.deepEqual(idsOf(await again.runs.takeDue('flow-b', 6_000, ALL)), [child.id])
    assert.deepEqual(
      [await again.runs.isOrphaned(child.seq), await again.runs.isOrphaned(grandchild.seq)],
      [true, true]
    )
  })

  storeTest(
    open,
    'also what one of them started that has ended, and nothing else',
    async ({ store, reopen }) => {
      const root = await store.runs.accept(sampleRun())
      const branches: AcceptedRun[][] = []
      for (const name of ['call-1', 'call-2']) {
        const given = { node: name, isAwaited: false }
        const top = (await store.runs.startDetached(root, sampleChild(root, given)))!
        const between = await detached(store, top)
        const parked = await detached(store, between)
        const [item] = (await store.runs.startChildren(between, 'each-1', sampleChildren(between, 1), RULES))!
        const below = await detached(store, item!)
        for (const run of [parked, below]) await store.runs.park(run, '"wait"', null, ['ask-1'])
        for (const run of [item!, between]) await store.runs.end(run, sampleOutcome())
        branches.push([top, parked, below])
      }
      const [[top, ...left], others] = branches as [AcceptedRun[], AcceptedRun[]]
      await store.runs.end(top!, sampleOutcome({ status: 'cancelled', finishedAt: 6_000 }))
      const again = await reopen()
      const due = await take(again, 'flow-b', 6_000)
      assert.deepEqual(
        due.map(({ id }) => id),
        left.map(({ id }) => id)
      )
      for (const { seq } of due) assert.equal(await again.runs.isOrphaned(seq), true)
      // One that goes on for a moment and parks then is due at once.
      await again.runs.park(due[0]!, '"once more"', null, ['ask-1'])
      assert.deepEqual(
        (await take(again, 'flow-b', 6_000)).map(({ id }) => id),
        [due[0]!.id]
      )
      for (const { seq } of others) assert.equal(await again.runs.isOrphaned(seq), false)
    }
  )

  storeTest(
    open,
    'one that is opened again by itself goes on without those above that were cancelled',
    async ({ store, reopen }) => {
      const root = await store.runs.accept(sampleRun())
      const parent = await detached(store, root)
      const [retried, other] = await Promise.all(
        [0, 1].map((index) => {
          const given = { node: 'call-1', index, isAwaited: false }
          return store.runs.startDetached(parent, sampleChild(parent, given))
        })
      )
      await store.runs.park(other!, '"wait"', null, ['ask-1'])
      await store.runs.end(retried!, FAILED)
      await store.runs.end(parent, sampleOutcome())
      await store.runs.end(root, sampleOutcome({ status: 'cancelled' }))
      assert.notEqual(await store.runs.reopen(retried!, '"again"'), null)
      const items = sampleChildren(retried!, 1)
      const [item] = (await store.runs.startChildren(retried!, 'each-1', items, RULES))!
      const below = await detached(store, item!)
      const again = await reopen()
      const orphans = [retried!, item!, below, other!].map(({ seq }) => again.runs.isOrphaned(seq))
      assert.deepEqual(await Promise.all(orphans), [false, false, false, true])
      assert.deepEqual(
        (await again.runs.orphanedBelow(root.seq, 10)).map(({ id }) => id),
        [other!.id]
      )
      for (const run of [below, retried!]) await again.runs.park(run, '"wait"', null, ['ask-1'])
      assert.deepEqual(
        (await take(again, 'flow-b', 3e12)).map(({ id }) => id),
        [other!.id]
      )
      await again.runs.end(retried!, sampleOutcome({ status: 'cancelled', finishedAt: 6_000 }))
      assert.equal(await again.runs.isOrphaned(below.seq), true)
    }
  )

  storeTest(open, 'open runs of a flow are found, whoever started them', async (subject) => {
    const { store } = subject
    const { parent, begun } = await waitingParent(store, 5)
    await store.runs.park(begun[0]!, '"wait"', null, ['call-1'])
    const own = await store.runs.accept(sampleRun({ flowId: 'flow-b' }))
    const other = await detached(store, parent)
    await store.runs.end(begun[1]!, sampleOutcome())
    const seqs = (runs: readonly RunRef[]) => runs.map(({ seq }) => seq)
    for await (const each of beforeAndAfterRestart(subject)) {
      const found = await each.runs.openOf('flow-b', 10)
      assert.deepEqual(
        [found.length, found.every(({ flowId, id }) => flowId === 'flow-b' && id !== '')],
        [6, true]
      )
      assert.ok(seqs(found).includes(begun[0]!.seq), 'the one that is parked')
      assert.ok(seqs(found).includes(own.seq) && seqs(found).includes(other.seq))
      assert.equal((await each.runs.openOf('flow-b', 2)).length, 2)
      assert.deepEqual(seqs(await each.runs.openOf(parent.flowId, 10)), [parent.seq])
      assert.deepEqual(await each.runs.openOf('flow-c', 10), [])
    }
  })

  storeTest(
    open,
    'the versions that open children are of are told, each once for each context',
    async (subject) => {
      const { store } = subject
      const { parent, begun } = await waitingParent(store, 5)
      await store.runs.park(begun[0]!, '"wait"', null, ['call-1'])
      const other = sampleChild(parent, { node: 'call-1', isAwaited: false }, { flowVersion: 7 })
      await store.runs.startDetached(parent, other)
      const lent = sampleChild(
        parent,
        { node: 'call-2', isAwaited: false },
        { flowVersion: 7, context: '/lent' }
      )
      await store.runs.startDetached(parent, lent)
      for await (const each of beforeAndAfterRestart(subject)) {
        const told = await each.runs.openChildVersions()
        assert.deepEqual(
          told.map(({ flowId, flowVersion, context }) => `${flowId}@${flowVersion} ${context}`).sort(),
          [`flow-b@${begun[0]!.flowVersion} null`, 'flow-b@7 null', 'flow-b@7 /lent'].sort()
        )
      }
    }
  )

  storeTest(open, 'open runs below one are found, nearest first', async ({ store }) => {
    const parent = await store.runs.accept(sampleRun())
    const [child] = (await store.runs.startChildren(parent, 'each-1', sampleChildren(parent, 1), RULES))!
    const other = await detached(store, parent)
    const grandchild = await detached(store, child!)
    const below = async (run: RunRef, limit = 10) =>
      (await store.runs.openBelow(run.seq, limit)).map(({ seq }) => seq)
    assert.deepEqual(await below(parent), [child!.seq, other.seq, grandchild.seq])
    assert.deepEqual(await below(parent, 1), [child!.seq])
    const { seq, id } = grandchild
    assert.deepEqual(await store.runs.openBelow(child!.seq, 10), [{ seq, id, flowId: 'flow-b' }])
    assert.deepEqual(await below(other), [])
    // The one between has ended; what it started is still below.
    await store.runs.end(child!, sampleOutcome())
    assert.deepEqual(await below(parent), [other.seq, grandchild.seq])
  })

  storeTest(
    open,
    'of the open runs below one those are found that are orphaned, behind however many others',
    async ({ store }) => {
      const parent = await store.runs.accept(sampleRun())
      const start = async (node: string, count: number) =>
        (await store.runs.startChildren(
          parent,
          node,
          Array.from({ length: count }, (_, index) => sampleChild(parent, { node, index })),
          RULES
        ))!
      await start('many', 600)
      const dropped = await start('few', 3)
      const [kept] = await start('kept', 1)
      const grandchild = await detached(store, dropped[0]!)
      const orphaned = async (run: RunRef, limit = 10) =>
        (await store.runs.orphanedBelow(run.seq, limit)).map(({ seq }) => seq)
      assert.deepEqual(await orphaned(parent), [])
      await store.runs.dropChildren(parent, 'few')
      const seqs = (await store.runs.children(parent.seq, 'few', 0, 10)).map(({ seq }) => seq)
      assert.deepEqual(await orphaned(parent), seqs)
      assert.deepEqual(await orphaned(parent, 2), seqs.slice(0, 2))
      const cancelled = sampleOutcome({ status: 'cancelled' })
      await store.runs.end(dropped[0]!, cancelled)
      assert.deepEqual(await orphaned(parent), [...seqs.slice(1), grandchild.seq])
      assert.deepEqual(await orphaned(dropped[0]!), [grandchild.seq])
      assert.deepEqual(await orphaned(kept!), [])
      await store.runs.end(parent, cancelled)
      assert.equal((await orphaned(parent, 1_000)).length, 604)
    }
  )
}
