import assert from 'node:assert/strict'
import type { AcceptedRun } from '../store.ts'
import {
  ALL,
  FAILED,
  idsOf,
  parentRef,
  places,
  RULES,
  STOPS,
  sampleChild,
  sampleChildren,
  take,
  waitingParent
} from './sample-children.test-kit.ts'
import { sampleWake } from './sample-waits.test-kit.ts'
import {
  beforeAndAfterRestart,
  type OpenSubject,
  sampleFlow,
  sampleOutcome,
  sampleRun,
  storeTest
} from './subject.test-kit.ts'

export function childTurnContract(open: OpenSubject): void {
  startContract(open)
  endContract(open)
  pausedChildContract(open)
  stopContract(open)
}

function startContract(open: OpenSubject): void {
  storeTest(open, 'so many children begin as may be under way; the others wait', async (subject) => {
    const { parent, children, begun } = await waitingParent(subject.store, 5)
    assert.deepEqual(places(children, begun), [0, 1])
    assert.deepEqual(begun[1]?.parent, { ...parentRef(parent), index: 1 })
    assert.ok(begun[0]!.seq > parent.seq && begun[1]!.seq > begun[0]!.seq)
    for await (const store of beforeAndAfterRestart(subject)) {
      assert.deepEqual(await store.runs.backlog(), new Map([['flow-b', 2]]))
      const waiting = await store.runs.queued('flow-b', 0, ALL)
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

  storeTest(
    open,
    'a call to a child that waits for its turn does not let it begin before that',
    async (subject) => {
      const { parent, children, begun } = await waitingParent(subject.store, 3)
      const { runs } = subject.store
      const queued = (await runs.get(children[2]!.id))!
      assert.equal((await runs.wake(sampleWake(queued, { early: true }))).won, true)
      for await (const store of beforeAndAfterRestart(subject)) {
        assert.deepEqual(await take(store, 'flow-b'), [])
        assert.deepEqual(await store.runs.flowsDue(2e12), [])
      }
      const again = await subject.reopen()
      await again.runs.end(begun[0]!, sampleOutcome())
      const [child] = await take(again, 'flow-b')
      assert.deepEqual([child?.id, child?.journal], [queued.id, ['"woken"']])
      await again.runs.end(begun[1]!, sampleOutcome())
      assert.deepEqual(await take(again, 'flow-b'), [])
      await again.runs.end(child!, sampleOutcome())
      assert.deepEqual(idsOf(await again.runs.takeDue('flow-a', 2e12, ALL)), [parent.id])
    }
  )

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
    await store.flows.setPaused('flow-b', { mode: 'hold', since: 1, by: 'Ann' }, 5000)
    await store.runs.end(first!, sampleOutcome())
    assert.deepEqual(await take(store, 'flow-b'), [])
    assert.deepEqual(await store.runs.countPaused(['flow-b']), new Map([['flow-b', 1]]))
    const second = (await store.runs.get(children[1]!.id))!
    await store.runs.end(second, sampleOutcome({ status: 'cancelled' }))
    assert.deepEqual(places(children, await take(store, 'flow-b')), [2], 'this one begins all the same')
    await store.runs.end((await store.runs.get(children[2]!.id))!, sampleOutcome())
    // Nobody waits for it any more: it is not held, so that somebody cancels it.
    await store.runs.end(parent, sampleOutcome({ status: 'cancelled', finishedAt: 6_000 }))
    assert.deepEqual(await store.runs.countPaused(['flow-b']), new Map())
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
    await store.flows.setPaused('flow-a', { mode: 'hold', since: 1, by: 'Ann' }, 5000)
    for await (const each of beforeAndAfterRestart(subject)) {
      assert.deepEqual(
        await each.runs.countPaused(['flow-a']),
        new Map([['flow-a', 1]]),
        'nobody waits for it'
      )
      const left = await each.runs.queued('flow-a', 0, ALL)
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
