import assert from 'node:assert/strict'
import type { AcceptedRun, RunRef, Store } from '../store.ts'
import {
  ALL,
  FAILED,
  idsOf,
  parentRef,
  places,
  RULES,
  reopenChildren,
  STOPS,
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

export function childFamilyContract(open: OpenSubject): void {
  orphanContract(open)
  retryContract(open)
  detachedContract(open)
}

function orphanContract(open: OpenSubject): void {
  for (const status of ['succeeded', 'failed', 'cancelled'] as const) {
    storeTest(open, `the ${status} end of a parent leaves no child behind`, async ({ store, reopen }) => {
      const { parent, children, begun } = await waitingParent(store, 5)
      await store.runs.park(begun[1]!, '"wait"', null, ['call-1'])
      assert.equal(await store.runs.isOrphaned(begun[0]!.seq), false)
      await store.runs.end(parent, sampleOutcome({ status, finishedAt: 6_000 }))
      const again = await reopen()
      const due = await take(again, 'flow-b', 6_000)
      assert.deepEqual(
        places(children, due).sort((a, b) => a - b),
        [1, 2, 3, 4]
      )
      for (const child of [begun[0]!, ...due]) assert.equal(await again.runs.isOrphaned(child.seq), true)
      for (const child of [begun[0]!, ...due]) {
        assert.ok((await again.runs.end(child, sampleOutcome({ status: 'cancelled' }))) !== null)
      }
      assert.deepEqual(await take(again, 'flow-b'), [])
    })
  }

  storeTest(
    open,
    'a child that parks after the end of its parent is due at once',
    async ({ store, reopen }) => {
      const { parent, begun } = await waitingParent(store, 2)
      const detached = (await store.runs.startDetached(
        parent,
        sampleChild(parent, { node: 'run-1', isAwaited: false })
      ))!
      await store.runs.park(begun[1]!, '"before"', 9e12, ['delay-1'])
      await store.runs.end(parent, sampleOutcome({ status: 'cancelled', finishedAt: 6_000 }))
      for (const child of [begun[0]!, detached]) await store.runs.park(child, '"after"', 9e12, ['delay-1'])
      const due = await take(await reopen(), 'flow-b', 6_000)
      assert.deepEqual(
        due.map(({ id }) => id).sort(),
        [begun[0]!, begun[1]!, detached].map(({ id }) => id).sort()
      )
    }
  )

  storeTest(open, 'a child that parks after it was dropped is due at once', async ({ store }) => {
    const { parent, begun } = await waitingParent(store, 2)
    const [other] = (await store.runs.startChildren(
      parent,
      'b',
      [sampleChild(parent, { node: 'b' })],
      RULES
    ))!
    await store.runs.dropChildren(parent, 'each-1')
    for (const child of [begun[0]!, other!]) await store.runs.park(child, '"after"', 9e12)
    assert.deepEqual(
      (await take(store, 'flow-b', 6_000)).map(({ id }) => id),
      [begun[0]!.id]
    )
  })

  storeTest(open, 'a parent may drop the children of one node', async ({ store }) => {
    const parent = await store.runs.accept(sampleRun())
    const [a] = (await store.runs.startChildren(parent, 'a', sampleChildren(parent, 3), RULES))!
    const [b] = (await store.runs.startChildren(parent, 'b', [sampleChild(parent, { node: 'b' })], RULES))!
    await store.runs.dropChildren(parent, 'a')
    assert.deepEqual(
      (await take(store, 'flow-b')).map((run) => run.parent?.index),
      [2]
    )
    assert.deepEqual(
      [await store.runs.isOrphaned(a!.seq), await store.runs.isOrphaned(b!.seq)],
      [true, false]
    )
    assert.equal(await store.runs.isOrphaned(parent.seq), false)
    assert.deepEqual(await store.runs.closeWait(parent, 'a', 1), { state: 'over' })
    await store.runs.dropChildren(parent, 'no such node')
  })

  storeTest(
    open,
    'children of a large parent are all due when its end is told',
    async ({ store, reopen }) => {
      const { parent } = await waitingParent(store, 1_203)
      await store.runs.end(parent, sampleOutcome({ status: 'cancelled' }))
      const due = await store.runs.takeDue('flow-b', 2e12, { ...ALL, runs: 2_000 })
      assert.equal(due.runs.length, 1_201)
      assert.deepEqual(await take(await reopen(), 'flow-b'), [])
    }
  )
}

function retryContract(open: OpenSubject): void {
  storeTest(open, 'a parent that goes on opens its failed children again', async ({ store, reopen }) => {
    const { parent, children, begun } = await waitingParent(store, 2)
    await store.runs.end(begun[0]!, FAILED)
    await store.runs.end(begun[1]!, sampleOutcome())
    await store.runs.takeDue('flow-a', 2e12, ALL)
    await store.runs.end(parent, FAILED)
    await store.runs.reopen(parent, '"again"')
    const [no, none] = await reopenChildren(store, parent, begun, STOPS)
    assert.ok(no !== null)
    assert.equal(none, null)
    assert.deepEqual(await reopenChildren(store, parent, begun, STOPS), [null, null])
    assert.deepEqual(await store.runs.closeWait(parent, 'each-1', 1), { state: 'open' })
    await store.runs.park(parent, '"parked"', null, ['each-1'])
    const again = await reopen()
    assert.deepEqual(await take(again, 'flow-a'), [])
    const [child] = await take(again, 'flow-b')
    assert.deepEqual([places(children, [child!]), child!.journal], [[0], ['"again"']])
    assert.equal(await again.runs.isOrphaned(child!.seq), false)
    await again.runs.end(child!, sampleOutcome())
    assert.deepEqual(idsOf(await again.runs.takeDue('flow-a', 2e12, ALL)), [parent.id])
  })

  storeTest(open, 'children that are opened again wait for their turn too', async ({ store }) => {
    const { parent, children, begun } = await waitingParent(store, 4, { ...RULES, atOnce: 4 })
    for (const child of begun) await store.runs.end(child, FAILED)
    await store.runs.takeDue('flow-a', 2e12, ALL)
    const rules = { atOnce: 1, stopsOnFailure: true }
    await reopenChildren(store, parent, begun.slice(0, 1), rules)
    await reopenChildren(store, parent, begun.slice(1), rules)
    const standings = await Promise.all(children.map(async ({ id }) => (await store.runs.get(id))?.isInLine))
    assert.deepEqual(standings, [undefined, true, true, true])
    const order: number[] = []
    for (;;) {
      const due = await take(store, 'flow-b')
      if (due.length === 0) break
      order.push(...places(children, due))
      for (const child of due) await store.runs.end(child, sampleOutcome())
    }
    assert.deepEqual(order, [0, 1, 2, 3])
    assert.deepEqual(await store.runs.closeWait(parent, 'each-1', 1), { state: 'over' })
  })

  storeTest(open, 'failures of before do not stop children that a retry starts anew', async ({ store }) => {
    const { parent, begun } = await waitingParent(store, 1, STOPS)
    await store.runs.end(begun[0]!, FAILED)
    await store.runs.end(parent, FAILED)
    await store.runs.reopen(parent, '"again"')
    const anew = await store.runs.startChildren(parent, 'each-1', sampleChildren(parent, 1, 1), STOPS)
    assert.equal(anew?.length, 1)
    assert.deepEqual(await store.runs.closeWait(parent, 'each-1', 1), { state: 'open' })
    await store.runs.end(anew![0]!, sampleOutcome())
    assert.deepEqual(await store.runs.closeWait(parent, 'each-1', 1), { state: 'over' })
  })

  storeTest(open, 'a parent that has ended opens no child again', async ({ store }) => {
    const { parent, begun } = await waitingParent(store, 1)
    await store.runs.end(begun[0]!, FAILED)
    await store.runs.end(parent, FAILED)
    assert.deepEqual(await reopenChildren(store, parent, begun, RULES), [null])
    assert.equal((await store.runs.get(begun[0]!.id))?.outcome?.status, 'failed')
  })

  storeTest(open, 'a child that is retried by itself is not counted', async ({ store }) => {
    const { parent, begun } = await waitingParent(store, 2)
    await store.runs.end(begun[0]!, FAILED)
    assert.ok((await store.runs.reopen(begun[0]!, '"again"')) !== null)
    await store.runs.end(begun[0]!, sampleOutcome())
    assert.deepEqual(await take(store, 'flow-a'), [])
    await store.runs.end(begun[1]!, sampleOutcome())
    assert.deepEqual(idsOf(await store.runs.takeDue('flow-a', 2e12, ALL)), [parent.id])
  })
}

function detachedContract(open: OpenSubject): void {
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

  storeTest(open, 'the versions that open children are of are told, each once', async (subject) => {
    const { store } = subject
    const { parent, begun } = await waitingParent(store, 5)
    await store.runs.park(begun[0]!, '"wait"', null, ['call-1'])
    const other = sampleChild(parent, { node: 'call-1', isAwaited: false }, { flowVersion: 7 })
    await store.runs.startDetached(parent, other)
    for await (const each of beforeAndAfterRestart(subject)) {
      const told = await each.runs.openChildVersions()
      assert.deepEqual(
        told.map(({ flowId, flowVersion }) => `${flowId}@${flowVersion}`).sort(),
        [`flow-b@${begun[0]!.flowVersion}`, 'flow-b@7'].sort()
      )
    }
  })

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
