import assert from 'node:assert/strict'
import type { Pause } from '../flow-standing.ts'
import type { AcceptedRun, NewRun, Store } from '../store.ts'
import {
  acceptMany,
  beforeAndAfterRestart,
  listedIds,
  type OpenSubject,
  sampleFlow,
  sampleOutcome,
  sampleRun,
  storeTest
} from './subject.test-kit.ts'

const ALL = { runs: 1_000, bytes: 1_000_000 }
const HOLD: Pause = { mode: 'hold', since: 3000, by: 'Ann' }
const REFUSE: Pause = { mode: 'refuse', since: 4000, by: 'Ben' }

async function waitingIds(store: Store): Promise<string[]> {
  return (await store.runs.queued('flow-a', 0, ALL)).runs.map((run) => run.id)
}

/** As a process does that knows of the pause. */
function acceptPaused(store: Store, given: Partial<NewRun> = {}): Promise<AcceptedRun> {
  return store.runs.accept(sampleRun({ whilePaused: 'hold', ...given }))
}

async function withFlow(store: Store): Promise<void> {
  await store.flows.create(sampleFlow({ id: 'flow-a', slug: 'a' }))
}

export function pausedContract(open: OpenSubject): void {
  storeTest(open, 'a flow is paused, in one way or the other, and goes on', async (subject) => {
    const { store } = subject
    const flow = sampleFlow({ id: 'flow-a' })
    const live = { ...flow, version: 1, updatedAt: 1000, triggersFrom: null, origin: null, aliases: [] }
    await store.flows.create(flow)
    assert.deepEqual(await store.flows.setPaused('flow-a', HOLD, 5000), { ...live, paused: HOLD })
    assert.deepEqual(await store.flows.setPaused('flow-a', REFUSE, 5000), { ...live, paused: REFUSE })
    for await (const each of beforeAndAfterRestart(subject)) {
      assert.deepEqual(await each.flows.live(), [{ ...live, paused: REFUSE }])
    }
    const again = await subject.reopen()
    assert.deepEqual(await again.flows.setPaused('flow-a', null, 5000), {
      ...live,
      paused: null,
      triggersFrom: 5000
    })
    assert.equal(await again.flows.setPaused('nobody', HOLD, 5000), undefined)
  })

  storeTest(
    open,
    'triggers count from where the flow refuses no longer, and one that only held keeps theirs',
    async (subject) => {
      await withFlow(subject.store)
      const from: (number | null | undefined)[] = []
      for (const [at, pause] of [HOLD, null, REFUSE, HOLD, null, REFUSE, null].entries())
        from.push((await subject.store.flows.setPaused('flow-a', pause, at))?.triggersFrom)
      assert.deepEqual(from, [null, null, null, 3, 3, 3, 6])
      assert.equal((await (await subject.reopen()).flows.live())[0]?.triggersFrom, 6)
    }
  )

  storeTest(open, 'a flow is paused through saves, and while it is removed', async ({ store }) => {
    const flow = sampleFlow({ id: 'flow-a', slug: 'a' })
    await store.flows.create(flow)
    await store.flows.setPaused('flow-a', HOLD, 5000)
    const { id, slug, context, document } = flow
    const saved = await store.flows.save({ id, slug, context, document, baseVersion: 1, at: 2000 })
    assert.deepEqual(saved.won && saved.flow.paused, HOLD)
    await store.flows.remove('flow-a', 5000)
    assert.equal(await store.flows.setPaused('flow-a', null, 5000), undefined)
    assert.deepEqual((await store.flows.removed('flow-a'))?.paused, HOLD)
    const back = await store.flows.undelete('flow-a', { at: 6000 })
    assert.deepEqual(back.won && back.flow.paused, HOLD)
  })

  storeTest(
    open,
    'runs of a paused flow are held: neither waiting nor backlog, until it goes on, then in order',
    async (subject) => {
      const { store } = subject
      await withFlow(store)
      const before = await acceptMany(store, 2)
      await store.flows.setPaused('flow-a', HOLD, 5000)
      const since = [await acceptPaused(store), await acceptPaused(store)]
      assert.deepEqual(
        since.map((run) => run.isPaused),
        [true, true]
      )
      const other = await store.runs.accept(sampleRun({ flowId: 'flow-b' }))
      assert.equal(other.isPaused, undefined)
      const ids = [...before, ...since].map((run) => run.id)
      for await (const each of beforeAndAfterRestart(subject)) {
        assert.deepEqual(await waitingIds(each), [])
        assert.deepEqual(Object.fromEntries(await each.runs.backlog()), { 'flow-b': 1 })
        assert.deepEqual(
          await each.runs.countPaused(['flow-a', 'flow-b', 'nobody']),
          new Map([['flow-a', 4]])
        )
        assert.deepEqual(await each.runs.countPaused(['flow-b']), new Map())
        const open = await listedIds(each, { status: 'open', flowIds: ['flow-a'] })
        assert.deepEqual(open, [...ids].reverse())
      }
      const again = await subject.reopen()
      await again.flows.setPaused('flow-a', null, 5000)
      const after = await again.runs.accept(sampleRun())
      assert.deepEqual(await waitingIds(again), [...ids, after.id])
      assert.deepEqual(Object.fromEntries(await again.runs.backlog()), { 'flow-a': 5, 'flow-b': 1 })
      assert.deepEqual(await waitingIds(await subject.reopen()), [...ids, after.id])
    }
  )

  storeTest(open, 'who does not know that a flow goes on again has no run held', async ({ store }) => {
    await withFlow(store)
    const run = await acceptPaused(store)
    assert.deepEqual([run.isPaused, await waitingIds(store)], [undefined, [run.id]])
  })

  storeTest(open, 'a run that is to begin all the same waits for its turn', async (subject) => {
    const { store } = subject
    await withFlow(store)
    await store.flows.setPaused('flow-a', HOLD, 5000)
    await acceptPaused(store)
    const run = await acceptPaused(store, { whilePaused: 'begin' })
    assert.equal(run.isPaused, undefined)
    for await (const each of beforeAndAfterRestart(subject))
      assert.deepEqual(await waitingIds(each), [run.id])
  })

  storeTest(open, 'a held run can be ended, and is then let go no more', async (subject) => {
    const { store } = subject
    await withFlow(store)
    await store.flows.setPaused('flow-a', REFUSE, 5000)
    const [run, rest] = [await acceptPaused(store), await acceptPaused(store)]
    assert.notEqual(await store.runs.end(run, sampleOutcome({ status: 'cancelled', startedAt: null })), null)
    assert.equal(await store.runs.end(run, sampleOutcome()), null)
    const again = await subject.reopen()
    await again.flows.setPaused('flow-a', null, 5000)
    assert.deepEqual(await waitingIds(again), [rest.id])
  })

  storeTest(open, 'what has begun is not held', async (subject) => {
    const { store } = subject
    await withFlow(store)
    const [begun, failed, parked] = await acceptMany(store, 3)
    await store.runs.checkpoint(begun!, '"begun"')
    await store.runs.end(failed!, sampleOutcome({ status: 'failed' }))
    await store.flows.setPaused('flow-a', HOLD, 5000)
    await store.runs.reopen(failed!, '"again"')
    for await (const each of beforeAndAfterRestart(subject)) {
      assert.deepEqual(await waitingIds(each), [begun!.id, failed!.id])
    }
    const again = await subject.reopen()
    // It was under way without anybody having written that down.
    await again.runs.park(parked!, '"wait"', 5000)
    assert.deepEqual(
      (await again.runs.takeDue('flow-a', 5000, ALL)).runs.map((run) => run.id),
      [parked!.id]
    )
  })

  storeTest(open, 'a delivery that starts a held run starts no second one', async ({ store }) => {
    await withFlow(store)
    await store.flows.setPaused('flow-a', HOLD, 5000)
    const deliveries = [{ key: 'd', body: null }]
    const run = sampleRun({ whilePaused: 'hold' })
    const first = await store.runs.acceptOnce(run, deliveries)
    assert.equal(first.verdict === 'accepted' && first.run.isPaused, true)
    const again = await store.runs.acceptOnce(sampleRun({ whilePaused: 'hold' }), deliveries)
    assert.deepEqual([again.verdict, again.verdict !== 'accepted' && again.runId], ['duplicate', run.id])
    assert.deepEqual(await waitingIds(store), [])
  })
}
