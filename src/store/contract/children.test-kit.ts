import assert from 'node:assert/strict'
import type { ChildRules, NewChild } from '../children.ts'
import type { AcceptedRun, ChildRange, ParentRef, RunFilter, RunRef, Store, WaitingPage } from '../store.ts'
import {
  beforeAndAfterRestart,
  listedIds,
  type OpenSubject,
  sampleFlow,
  sampleOutcome,
  sampleRun,
  storeTest
} from './subject.test-kit.ts'

const ALL = { runs: 1_000, bytes: 1_000_000 }
const RULES: ChildRules = { atOnce: 2, stopsOnFailure: false }
const STOPS: ChildRules = { atOnce: 2, stopsOnFailure: true }
const FAILED = sampleOutcome({ status: 'failed', error: '{"message":"no"}' })

export function parentRef(parent: AcceptedRun, given: Partial<ParentRef> = {}): ParentRef {
  return {
    seq: parent.seq,
    runId: parent.id,
    flowId: parent.flowId,
    node: 'each-1',
    index: 0,
    depth: (parent.parent?.depth ?? 0) + 1,
    isAwaited: true,
    ...given
  }
}

export function sampleChild(
  parent: AcceptedRun,
  given: Partial<ParentRef> = {},
  run: Partial<NewChild> = {}
): NewChild {
  return {
    ...sampleRun({ flowId: 'flow-b', createdAt: 1_700_000_000_001 }),
    parent: parentRef(parent, given),
    ...run
  }
}

function sampleChildren(parent: AcceptedRun, count: number, from = 0): NewChild[] {
  return Array.from({ length: count }, (_, place) => sampleChild(parent, { index: from + place }))
}

/** A parked parent that waits for so many children; resolves to those that may begin, and to all. */
async function waitingParent(store: Store, count: number, rules = RULES) {
  const parent = await store.runs.accept(sampleRun())
  const children = sampleChildren(parent, count)
  const begun = await store.runs.startChildren(parent, 'each-1', children, rules)
  assert.ok(begun !== null)
  await store.runs.park(parent, '"parked"', null, ['each-1'])
  return { parent, children, begun }
}

function idsOf({ runs }: WaitingPage): string[] {
  return runs.map(({ id }) => id)
}

async function take(store: Store, flowId: string, now = 2e12) {
  return (await store.runs.takeDue(flowId, now, ALL)).runs
}

function places(children: readonly { id: string }[], runs: readonly { id: string }[]): number[] {
  return runs.map(({ id }) => children.findIndex((child) => child.id === id))
}

export function childContract(open: OpenSubject): void {
  startContract(open)
  endContract(open)
  pausedChildContract(open)
  stopContract(open)
  orphanContract(open)
  retryContract(open)
  detachedContract(open)
  recordContract(open)
  readContract(open)
  childPruneContract(open)
}

function startContract(open: OpenSubject): void {
  storeTest(open, 'so many children begin as may be under way; the others wait', async (subject) => {
    const { parent, children, begun } = await waitingParent(subject.store, 5)
    assert.deepEqual(places(children, begun), [0, 1])
    assert.deepEqual(begun[1]?.parent, { ...parentRef(parent), index: 1 })
    assert.ok(begun[0]!.seq > parent.seq && begun[1]!.seq > begun[0]!.seq)
    for await (const store of beforeAndAfterRestart(subject)) {
      assert.deepEqual(await store.runs.backlog(), new Map([['flow-b', 2]]))
      const waiting = await store.runs.waiting('flow-b', 0, ALL)
      assert.deepEqual(places(children, waiting.runs), [0, 1])
      assert.deepEqual(waiting.runs[1]?.parent, { ...parentRef(parent), index: 1 })
      assert.deepEqual(await store.runs.flowsDue(2e12), [])
      assert.equal(await store.runs.nextDue(0), null)
      const queued = await store.runs.get(children[4]!.id)
      assert.deepEqual([queued?.isWaiting, queued?.outcome, queued?.parent?.index], [undefined, null, 4])
      assert.equal((await store.runs.get(parent.id))?.isWaiting, true)
    }
  })

  storeTest(open, 'more children may be started, as many as there is room for', async ({ store }) => {
    const parent = await store.runs.accept(sampleRun())
    const start = (count: number, from: number) =>
      store.runs.startChildren(parent, 'each-1', sampleChildren(parent, count, from), RULES)
    const first = (await start(1, 0))!
    assert.equal(first.length, 1)
    assert.equal((await start(3, 1))!.length, 1)
    assert.equal((await start(2, 4))!.length, 0)
    await store.runs.end(first[0]!, sampleOutcome())
    assert.deepEqual(
      (await take(store, 'flow-b')).map((run) => run.parent?.index),
      [2]
    )
  })

  storeTest(open, 'a parent that has ended starts none', async ({ store }) => {
    const parent = await store.runs.accept(sampleRun())
    await store.runs.end(parent, sampleOutcome())
    const child = sampleChild(parent)
    assert.equal(await store.runs.startChildren(parent, 'each-1', [child], RULES), null)
    assert.equal(await store.runs.startDetached(parent, child), null)
    assert.equal(
      await store.runs.recordChildren(parent, 'each-1', [{ child, outcome: sampleOutcome() }]),
      false
    )
    assert.equal(await store.runs.get(child.id), undefined)
  })

  storeTest(open, 'who waits for no children waits for nothing', async ({ store }) => {
    const { parent } = await waitingParent(store, 0)
    assert.deepEqual(idsOf(await store.runs.takeDue('flow-a', 2e12, ALL)), [parent.id])
    assert.deepEqual(await store.runs.closeWait(parent, 'each-1', 1), { state: 'over' })
  })
}

function endContract(open: OpenSubject): void {
  storeTest(open, 'the end of a child lets the next one begin, also after a restart', async (subject) => {
    const { children, begun } = await waitingParent(subject.store, 4)
    let ended = 0
    for await (const store of beforeAndAfterRestart(subject)) {
      await store.runs.end(begun[ended]!, sampleOutcome({ finishedAt: 3_000 + ended }))
      assert.deepEqual(await store.runs.flowsDue(3_000 + ended), ['flow-b'])
      assert.deepEqual(places(children, await take(store, 'flow-b', 3_000 + ended)), [2 + ended])
      ended++
    }
  })

  storeTest(open, 'the end of the last child makes its parent due', async ({ store, reopen }) => {
    const { parent, begun } = await waitingParent(store, 2)
    await store.runs.end(begun[0]!, FAILED)
    assert.deepEqual(await store.runs.closeWait(parent, 'each-1', 1), { state: 'open' })
    assert.deepEqual(await store.runs.flowsDue(2e12), [])
    await store.runs.end(begun[1]!, sampleOutcome({ finishedAt: 5_000 }))
    const again = await reopen()
    assert.deepEqual(await again.runs.flowsDue(4_999), [])
    assert.deepEqual(idsOf(await again.runs.takeDue('flow-a', 5_000, ALL)), [parent.id])
    assert.deepEqual(await again.runs.closeWait(parent, 'each-1', 1), { state: 'over' })
  })

  storeTest(
    open,
    'a parent is due at once where its children have ended before it parks',
    async ({ store }) => {
      const parent = await store.runs.accept(sampleRun())
      const begun = await store.runs.startChildren(parent, 'each-1', sampleChildren(parent, 2), RULES)
      for (const child of begun!) await store.runs.end(child, sampleOutcome())
      await store.runs.park(parent, '"parked"', null, ['each-1'])
      assert.deepEqual(idsOf(await store.runs.takeDue('flow-a', 2e12, ALL)), [parent.id])
      // What has ended does not cut a later pause short, nor is it one that waits.
      await store.runs.park(parent, '"pause"', 3e12)
      assert.equal((await store.runs.get(parent.id))?.isWaiting, undefined)
      assert.deepEqual(await take(store, 'flow-a'), [])
    }
  )

  storeTest(open, 'the last end and the park come together, and nothing is lost', async ({ store }) => {
    for (const endsFirst of [true, false]) {
      const parent = await store.runs.accept(sampleRun())
      const [child] = (await store.runs.startChildren(parent, 'each-1', sampleChildren(parent, 1), RULES))!
      const park = () => store.runs.park(parent, '"parked"', null, ['each-1'])
      const end = () => store.runs.end(child!, sampleOutcome())
      await Promise.all(endsFirst ? [end(), park()] : [park(), end()])
      assert.deepEqual(idsOf(await store.runs.takeDue('flow-a', 2e12, ALL)), [parent.id])
    }
  })

  storeTest(open, 'many ends at once count each child once', async ({ store }) => {
    const { parent, begun } = await waitingParent(store, 8, { atOnce: 8, stopsOnFailure: false })
    await Promise.all([...begun, ...begun].map((child) => store.runs.end(child, sampleOutcome())))
    assert.deepEqual(idsOf(await store.runs.takeDue('flow-a', 2e12, ALL)), [parent.id])
  })

  storeTest(open, 'a child that ends while it waits for its turn gives no turn', async ({ store }) => {
    const { parent, children, begun } = await waitingParent(store, 4)
    const queued = (await store.runs.get(children[2]!.id))!
    assert.ok((await store.runs.end(queued, sampleOutcome({ status: 'cancelled' }))) !== null)
    assert.deepEqual(await take(store, 'flow-b'), [])
    await store.runs.end(begun[0]!, sampleOutcome())
    const [last] = await take(store, 'flow-b')
    assert.deepEqual(places(children, [last!]), [3])
    for (const child of [begun[1]!, last!]) await store.runs.end(child, sampleOutcome())
    assert.deepEqual(idsOf(await store.runs.takeDue('flow-a', 2e12, ALL)), [parent.id])
  })

  storeTest(open, 'each node counts its own children', async ({ store }) => {
    const parent = await store.runs.accept(sampleRun())
    const begun: AcceptedRun[] = []
    for (const node of ['a', 'b']) {
      const child = sampleChild(parent, { node })
      begun.push(...(await store.runs.startChildren(parent, node, [child], RULES))!)
    }
    await store.runs.park(parent, '"parked"', null, ['a', 'b'])
    await store.runs.end(begun[1]!, sampleOutcome())
    assert.deepEqual(idsOf(await store.runs.takeDue('flow-a', 2e12, ALL)), [parent.id])
    assert.deepEqual(await store.runs.closeWait(parent, 'a', 1), { state: 'open' })
    assert.deepEqual(await store.runs.closeWait(parent, 'b', 1), { state: 'over' })
  })

  storeTest(open, 'a child may wait by itself, and is counted when it ends', async ({ store, reopen }) => {
    const { parent, begun } = await waitingParent(store, 1)
    await store.runs.park(begun[0]!, '"pause"', 1_000)
    const again = await reopen()
    const [child] = await take(again, 'flow-b')
    assert.deepEqual(child?.parent, parentRef(parent))
    await again.runs.end(child!, sampleOutcome())
    assert.deepEqual(idsOf(await again.runs.takeDue('flow-a', 2e12, ALL)), [parent.id])
  })
}

function pausedChildContract(open: OpenSubject): void {
  storeTest(open, 'a child whose turn comes while its flow is paused is held', async ({ store }) => {
    await store.flows.create(sampleFlow({ id: 'flow-b', slug: 'b' }))
    const parent = await store.runs.accept(sampleRun())
    const whilePaused = [undefined, 'hold', 'begin', 'hold'] as const
    const children = whilePaused.map((given, index) =>
      sampleChild(parent, { index }, given === undefined ? {} : { whilePaused: given })
    )
    const rules = { atOnce: 1, stopsOnFailure: false }
    const [first] = (await store.runs.startChildren(parent, 'each-1', children, rules))!
    await store.runs.checkpoint(first!, '"begun"')
    await store.flows.setPaused('flow-b', { mode: 'hold', since: 1, by: 'Ann' })
    await store.runs.end(first!, sampleOutcome())
    assert.deepEqual(await take(store, 'flow-b'), [])
    assert.deepEqual(await store.runs.held(['flow-b']), new Map([['flow-b', 1]]))
    const second = (await store.runs.get(children[1]!.id))!
    await store.runs.end(second, sampleOutcome({ status: 'cancelled' }))
    assert.deepEqual(places(children, await take(store, 'flow-b')), [2], 'this one begins all the same')
    await store.runs.end((await store.runs.get(children[2]!.id))!, sampleOutcome())
    // Nobody waits for it any more: it is not held, so that somebody cancels it.
    await store.runs.end(parent, sampleOutcome({ status: 'cancelled', finishedAt: 6_000 }))
    assert.deepEqual(await store.runs.held(['flow-b']), new Map())
    assert.deepEqual(places(children, await take(store, 'flow-b', 6_000)), [3])
  })

  storeTest(open, 'what a run waits for of its own flow is not held with that', async (subject) => {
    const { store } = subject
    await store.flows.create(sampleFlow({ id: 'flow-a', slug: 'a' }))
    const parent = await store.runs.accept(sampleRun())
    await store.runs.checkpoint(parent, '"begun"')
    const own = { flowId: 'flow-a', whilePaused: 'begin' } as const
    const items = [0, 1].map((index) => sampleChild(parent, { index }, own))
    await store.runs.startChildren(parent, 'each-1', items, RULES)
    const detached = sampleChild(parent, { node: 'call-1', isAwaited: false }, { flowId: 'flow-a' })
    await store.runs.startDetached(parent, detached)
    await store.runs.park(parent, '"parked"', null, ['each-1'])
    await store.flows.setPaused('flow-a', { mode: 'hold', since: 1, by: 'Ann' })
    for await (const each of beforeAndAfterRestart(subject)) {
      assert.deepEqual(await each.runs.held(['flow-a']), new Map([['flow-a', 1]]), 'nobody waits for it')
      const left = await each.runs.waiting('flow-a', 0, ALL)
      assert.deepEqual(places(items, left.runs), [0, 1])
    }
  })
}

function stopContract(open: OpenSubject): void {
  storeTest(open, 'the first failure ends the wait where the rules say so', async ({ store }) => {
    const { parent, begun } = await waitingParent(store, 5, STOPS)
    await store.runs.end(begun[0]!, FAILED)
    assert.deepEqual(idsOf(await store.runs.takeDue('flow-a', 2e12, ALL)), [parent.id])
    assert.deepEqual(await store.runs.closeWait(parent, 'each-1', 1), { state: 'over' })
    assert.deepEqual(await take(store, 'flow-b'), [], 'none begins after it')
    // The one that was under way ends later: the parent has gone on and is not disturbed.
    await store.runs.park(parent, '"pause"', 3e12)
    await store.runs.end(begun[1]!, sampleOutcome())
    assert.deepEqual(await take(store, 'flow-b'), [])
    assert.deepEqual(await take(store, 'flow-a'), [])
  })

  storeTest(open, 'a parent that parks after the first failure is due at once', async ({ store }) => {
    const parent = await store.runs.accept(sampleRun())
    const begun = await store.runs.startChildren(parent, 'each-1', sampleChildren(parent, 3), STOPS)
    await store.runs.end(begun![0]!, FAILED)
    assert.deepEqual(
      await store.runs.startChildren(parent, 'each-1', sampleChildren(parent, 2, 3), STOPS),
      []
    )
    await store.runs.park(parent, '"parked"', null, ['each-1'])
    assert.deepEqual(idsOf(await store.runs.takeDue('flow-a', 2e12, ALL)), [parent.id])
  })
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
    const ref = begun[0]!.parent!
    assert.ok((await store.runs.reopenChild(begun[0]!, ref, '"again"', STOPS)) !== null)
    assert.equal(await store.runs.reopenChild(begun[0]!, ref, '"again"', STOPS), null)
    assert.equal(await store.runs.reopenChild(begun[1]!, begun[1]!.parent!, '"again"', STOPS), null)
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
    for (const child of begun) await store.runs.reopenChild(child, child.parent!, '"again"', rules)
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
    assert.equal(await store.runs.reopenChild(begun[0]!, begun[0]!.parent!, '"x"', RULES), null)
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
}

function recordContract(open: OpenSubject): void {
  storeTest(open, 'children that were performed at once are kept with their ends', async (subject) => {
    const parent = await subject.store.runs.accept(sampleRun())
    const children = sampleChildren(parent, 3)
    const last = await subject.store.runs.lastChange()
    const performed = children.map((child, place) => ({
      child,
      outcome: sampleOutcome(place === 1 ? { ...FAILED } : { nodesWithOutput: ['parser-1'] })
    }))
    assert.equal(await subject.store.runs.recordChildren(parent, 'each-1', performed), true)
    for await (const store of beforeAndAfterRestart(subject)) {
      assert.deepEqual(await store.runs.backlog(), new Map([['flow-a', 1]]))
      const found = await store.runs.children(parent.seq, 'each-1', 0, 10)
      assert.deepEqual(
        found.map(({ index, outcome }) => [index, outcome?.status]),
        [
          [0, 'succeeded'],
          [1, 'failed'],
          [2, 'succeeded']
        ]
      )
      const changes = await store.runs.changes(['flow-b'], last, 100)
      assert.deepEqual(changes.map(({ kind }) => kind).sort(), [
        'accepted',
        'accepted',
        'accepted',
        'ended',
        'ended',
        'ended'
      ])
      assert.deepEqual((await store.runs.get(children[1]!.id))?.parent, parentRef(parent, { index: 1 }))
      assert.equal((await store.runs.latestWithOutput('flow-b', 'parser-1'))?.id, children[2]!.id)
    }
  })

  storeTest(open, 'a child that was recorded as failed may be opened again', async ({ store }) => {
    const parent = await store.runs.accept(sampleRun())
    const child = sampleChild(parent)
    await store.runs.recordChildren(parent, 'each-1', [{ child, outcome: FAILED }])
    const [found] = await store.runs.children(parent.seq, 'each-1', 0, 1)
    const ref = { seq: found!.seq, flowId: 'flow-b' }
    assert.ok((await store.runs.reopenChild(ref, child.parent, '"again"', RULES)) !== null)
    await store.runs.park(parent, '"parked"', null, ['each-1'])
    const [again] = await take(store, 'flow-b')
    assert.equal(again?.id, child.id)
    await store.runs.end(again!, sampleOutcome())
    assert.deepEqual(idsOf(await store.runs.takeDue('flow-a', 2e12, ALL)), [parent.id])
  })
}

function readContract(open: OpenSubject): void {
  storeTest(open, 'children are read by node, from an index on', async ({ store }) => {
    const { parent, children, begun } = await waitingParent(store, 4)
    await store.runs.end(begun[1]!, { ...FAILED, steps: '["x"]' })
    const all = await store.runs.children(parent.seq, 'each-1', 0, 10)
    assert.deepEqual(
      all.map(({ id }) => id),
      children.map(({ id }) => id)
    )
    assert.deepEqual(all[1], {
      seq: begun[1]!.seq,
      id: begun[1]!.id,
      flowId: 'flow-b',
      index: 1,
      outcome: { status: 'failed', error: '{"message":"no"}', steps: '["x"]' }
    })
    assert.equal(all[0]?.outcome, null)
    const some = await store.runs.children(parent.seq, 'each-1', 2, 1)
    assert.deepEqual(
      some.map(({ index }) => index),
      [2]
    )
    assert.deepEqual(await store.runs.children(parent.seq, 'each-2', 0, 10), [])
  })

  storeTest(open, 'lists, recent runs and stats leave children out', async (subject) => {
    const { parent, children, begun } = await waitingParent(subject.store, 4)
    await subject.store.runs.end(begun[0]!, FAILED)
    const other = await subject.store.runs.accept(sampleRun({ flowId: 'flow-b' }))
    const newestFirst = children.map(({ id }) => id).reverse()
    for await (const store of beforeAndAfterRestart(subject)) {
      assert.deepEqual(await listedIds(store), [other.id, parent.id])
      assert.deepEqual(await listedIds(store, { flowIds: ['flow-b'] }), [other.id])
      assert.deepEqual(await listedIds(store, { flowIds: ['flow-a', 'flow-b'] }), [other.id, parent.id])
      assert.deepEqual(await listedIds(store, { status: 'failed' }), [])
      assert.deepEqual(await listedIds(store, { status: 'open' }), [other.id, parent.id])
      assert.deepEqual(await listedIds(store, { text: 'order' }), [other.id, parent.id])
      const { seq } = parent
      assert.deepEqual(await listedIds(store, { parentSeq: seq }), newestFirst)
      assert.deepEqual(await listedIds(store, { parentSeq: seq, limit: 1 }), newestFirst)
      assert.deepEqual(await listedIds(store, { parentSeq: seq, status: 'failed' }), [children[0]!.id])
      assert.deepEqual(await listedIds(store, { parentSeq: seq, flowIds: ['flow-a'] }), [])
      const page = await store.runs.list({ parentSeq: seq, limit: 1 })
      assert.deepEqual(page.runs[0]?.parent, parentRef(parent, { index: 3 }))
      const recent = await store.runs.recent(['flow-b'], 10)
      assert.deepEqual(
        recent.get('flow-b')?.map(({ id }) => id),
        [other.id]
      )
      const span = { from: 1_700_000_000_000, width: 1_000, spans: 1 }
      const [stats] = await store.runs.stats(span)
      const [ofFlow] = await store.runs.stats({ ...span, flowIds: ['flow-b'] })
      assert.deepEqual([stats?.open, stats?.failed, ofFlow?.open, ofFlow?.failed], [2, 0, 1, 0])
    }
  })

  storeTest(open, 'lists have children of one node, and of some indexes', async ({ store }) => {
    const { parent, children, begun } = await waitingParent(store, 5)
    await store.runs.end(begun[1]!, FAILED)
    const other = sampleChild(parent, { node: 'call-1', isAwaited: false })
    await store.runs.startDetached(parent, other)
    const list = (childrenOf: ChildRange, more: Partial<RunFilter> = {}) =>
      listedIds(store, { parentSeq: parent.seq, childrenOf, ...more })
    const ids = (...places: number[]) => places.map((place) => children[place]!.id)
    const node = 'each-1'
    assert.deepEqual(await list({ node }), ids(4, 3, 2, 1, 0))
    assert.deepEqual(await list({ node: 'call-1' }), [other.id])
    assert.deepEqual(await list({ node: 'none' }), [])
    assert.deepEqual(await list({ node, fromIndex: 3 }), ids(4, 3))
    assert.deepEqual(await list({ node, belowIndex: 2 }), ids(1, 0))
    assert.deepEqual(await list({ node, fromIndex: 1, belowIndex: 4 }), ids(3, 2, 1))
    assert.deepEqual(await list({ node, fromIndex: 1, belowIndex: 4 }, { limit: 2 }), ids(3, 2, 1))
    assert.deepEqual(await list({ node, fromIndex: 1 }, { status: 'failed' }), ids(1))
    assert.deepEqual(await list({ node, fromIndex: 2 }, { status: 'failed' }), [])
    const counted = (id: string) => store.runs.countChildren(parent.seq, id)
    assert.deepEqual(await counted(node), { succeeded: 0, failed: 1, cancelled: 0, open: 4 })
    assert.deepEqual(await counted('call-1'), { succeeded: 0, failed: 0, cancelled: 0, open: 1 })
    assert.deepEqual(await counted('none'), { succeeded: 0, failed: 0, cancelled: 0, open: 0 })
  })

  storeTest(open, 'a child of a test runs what its parent tries out', async ({ store }) => {
    const parent = await store.runs.acceptTest(sampleRun(), '{"draft":1}', '{"pins":{}}')
    const [child] = (await store.runs.startChildren(
      parent,
      'each-1',
      [sampleChild(parent, {}, { isTest: true })],
      RULES
    ))!
    const [below] = (await store.runs.startChildren(
      child!,
      'each-2',
      [sampleChild(child!, { node: 'each-2' }, { isTest: true })],
      RULES
    ))!
    const detached = sampleChild(parent, { node: 'call-1', isAwaited: false })
    const plain = (await store.runs.startDetached(parent, detached))!
    assert.equal(child?.isTest, true)
    assert.equal((await store.runs.get(child!.id))?.isTest, true)
    for (const { seq } of [parent, child!, below!]) {
      assert.equal(await store.runs.testDocument(seq), '{"draft":1}')
      assert.equal(await store.runs.testScope(seq), '{"pins":{}}')
    }
    assert.equal(await store.runs.testDocument(plain.seq), undefined)
    assert.equal(await store.runs.testScope(plain.seq), undefined)
  })
}

function childPruneContract(open: OpenSubject): void {
  storeTest(open, 'children go with their parent, slice by slice, and never before it', async ({ store }) => {
    const { parent, begun } = await waitingParent(store, 5, { ...RULES, atOnce: 5 })
    for (const child of begun) await store.runs.end(child, sampleOutcome())
    const rule = { acceptedBefore: 2e12, slice: 4 }
    assert.equal(await store.runs.prune(rule), 0)
    await store.runs.end(parent, sampleOutcome())
    assert.equal(await store.runs.prune(rule), 4)
    assert.ok(await store.runs.get(parent.id))
    assert.equal(await store.runs.prune(rule), 2)
    assert.equal(await store.runs.get(parent.id), undefined)
    assert.equal(await store.runs.get(begun[4]!.id), undefined)
    assert.deepEqual(await store.runs.children(parent.seq, 'each-1', 0, 10), [])
    assert.equal(await store.runs.prune(rule), 0)
  })

  storeTest(open, 'how many runs stay is counted without children', async ({ store }) => {
    const { parent, begun } = await waitingParent(store, 3, { ...RULES, atOnce: 3 })
    for (const child of begun) await store.runs.end(child, sampleOutcome())
    await store.runs.end(parent, sampleOutcome())
    const later = await store.runs.accept(sampleRun())
    await store.runs.end(later, sampleOutcome())
    assert.equal(await store.runs.prune({ keep: 2, slice: 10 }), 0)
    assert.equal(await store.runs.prune({ keep: 1, slice: 10 }), 4)
    assert.deepEqual(await listedIds(store), [later.id])
  })

  storeTest(open, 'a child that outlives its parent goes after it', async ({ store }) => {
    const parent = await store.runs.accept(sampleRun())
    const child = (await store.runs.startDetached(
      parent,
      sampleChild(parent, { node: 'run-1', isAwaited: false })
    ))!
    await store.runs.end(parent, sampleOutcome())
    const rule = { acceptedBefore: 2e12, slice: 10 }
    assert.equal(await store.runs.prune(rule), 1)
    const found = await store.runs.get(child.id)
    assert.deepEqual([found?.outcome, found?.parent?.runId], [null, parent.id])
    await store.runs.end(child, sampleOutcome())
    assert.equal(await store.runs.prune(rule), 1)
    assert.equal(await store.runs.get(child.id), undefined)
  })
}
