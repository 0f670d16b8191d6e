import assert from 'node:assert/strict'
import { detachedContract } from './detached-children.test-kit.ts'
import {
  ALL,
  FAILED,
  idsOf,
  places,
  RULES,
  reopenChildren,
  STOPS,
  sampleChild,
  sampleChildren,
  take,
  waitingParent
} from './sample-children.test-kit.ts'
import { type OpenSubject, sampleOutcome, sampleRun, storeTest } from './subject.test-kit.ts'

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
