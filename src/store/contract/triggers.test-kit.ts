import assert from 'node:assert/strict'
import type { AcceptedRun } from '../store.ts'
import type { StoredTrigger } from '../triggers.ts'
import {
  acceptAndEnd,
  beforeAndAfterRestart,
  listedIds,
  type OpenSubject,
  sampleFlow,
  sampleOutcome,
  sampleRun,
  storeTest
} from './subject.test-kit.ts'

const trigger = (given: Partial<StoredTrigger> = {}): StoredTrigger => ({
  flowId: 'flow-a',
  node: 'schedule-1',
  mark: null,
  fault: null,
  ...given
})

export function triggerContract(open: OpenSubject): void {
  storeTest(open, 'a mark and a fault of a node are kept beside each other', async (subject) => {
    const { triggers } = subject.store
    const fault = { message: 'Ünïcode \u0000 away', at: 7 }
    await triggers.setMark('flow-a', 'schedule-1', 1_700_000_000_000)
    await triggers.setFault('flow-a', 'schedule-1', fault)
    await triggers.setMark('flow-a', 'schedule-1', 5)
    await triggers.setFault('flow-b', 'mail-1', { message: 'x', at: 1 })
    await triggers.setFault('flow-b', 'mail-1', null)
    const kept = [trigger({ mark: 5, fault }), trigger({ flowId: 'flow-b', node: 'mail-1' })]
    for await (const store of beforeAndAfterRestart(subject)) {
      const [first, second] = await store.triggers.list()
      assert.deepEqual([first!.mark, first!.fault!.at], [5, 7])
      assert.match(first!.fault!.message, /^Ünïcode .* away$/su)
      assert.deepEqual(second, kept[1])
      assert.deepEqual(await store.triggers.list('flow-b'), [kept[1]])
      assert.deepEqual(await store.triggers.list('flow-c'), [])
    }
  })

  storeTest(open, 'an event starts a run, and none that is not later does', async ({ store, reopen }) => {
    const given = sampleRun({ trigger: 'schedule' })
    const accepted = await store.runs.acceptEvent(given, { node: 'schedule-1', mark: 100 })
    const { seq, ...rest } = accepted!
    assert.deepEqual(rest, given)
    const again = await reopen()
    for (const mark of [100, 99]) {
      assert.equal(await again.runs.acceptEvent(sampleRun(), { node: 'schedule-1', mark }), undefined)
    }
    const other = await again.runs.acceptEvent(sampleRun(), { node: 'schedule-2', mark: 1 })
    const next = await again.runs.acceptEvent(sampleRun(), { node: 'schedule-1', mark: 101 })
    assert.deepEqual(await listedIds(again), [next!.id, other!.id, given.id])
    assert.deepEqual(await again.runs.backlog(), new Map([['flow-a', 3]]))
    assert.ok(seq < other!.seq)
  })

  storeTest(open, 'of many that come together for one event, one starts a run', async ({ store }) => {
    const all = await Promise.all(
      Array.from({ length: 20 }, () => store.runs.acceptEvent(sampleRun(), { node: 'schedule-1', mark: 7 }))
    )
    assert.equal(all.filter((run) => run !== undefined).length, 1)
    assert.equal((await listedIds(store)).length, 1)
  })

  storeTest(open, 'an event whose run cannot be kept comes again', async ({ store }) => {
    const first = await store.runs.accept(sampleRun())
    const event = { node: 'schedule-1', mark: 7 }
    await assert.rejects(store.runs.acceptEvent(sampleRun({ id: first.id }), event))
    assert.ok(await store.runs.acceptEvent(sampleRun(), event))
  })

  storeTest(open, 'a mark that was set back lets events come again', async ({ store }) => {
    await store.runs.acceptEvent(sampleRun(), { node: 'schedule-1', mark: 100 })
    await store.triggers.setMark('flow-a', 'schedule-1', 50)
    assert.ok(await store.runs.acceptEvent(sampleRun(), { node: 'schedule-1', mark: 60 }))
  })

  storeTest(
    open,
    'what a trigger has seen moves with its mark, and from the one that is known',
    async (subject) => {
      const { triggers, runs } = subject.store
      const keep = (mark: number, seen: string, before: number) =>
        triggers.keepSeen('flow-a', 'watch-1', { mark, seen }, before)
      assert.deepEqual(await triggers.seen('flow-a', 'watch-1'), { mark: 0, seen: null })
      assert.equal(await keep(10, 'äa', 0), true)
      assert.equal(await keep(20, 'b', 0), false, 'somebody was faster')
      assert.ok(await runs.acceptEvent(sampleRun(), { node: 'watch-1', mark: 11 }))
      assert.equal(await keep(20, 'b', 10), false, 'somebody goes on from there')
      await triggers.setFault('flow-z', 'watch-1', { message: 'away', at: 1 })
      assert.equal(await triggers.keepSeen('flow-z', 'watch-1', { mark: 5, seen: 'c' }, 0), true)
      for await (const store of beforeAndAfterRestart(subject)) {
        assert.deepEqual(await store.triggers.seen('flow-a', 'watch-1'), { mark: 11, seen: 'äa' })
        assert.deepEqual(await store.triggers.list('flow-a'), [trigger({ node: 'watch-1', mark: 11 })])
      }
    }
  )

  storeTest(
    open,
    'what a trigger has taken is given out, page by page, until it has had its run',
    async (subject) => {
      const { triggers, runs } = subject.store
      const node = 'watch-1'
      const taken = [
        JSON.stringify('ä\u0000\n'),
        ...Array.from({ length: 4 }, (_, at) => `${at}${'x'.repeat(30_000)}`)
      ]
      const keep = (mark: number, before: number, items?: readonly string[]) =>
        triggers.keepSeen('flow-a', node, { mark, seen: 'a' }, before, items)
      assert.equal(await triggers.taken('flow-a', node), undefined)
      assert.equal(await keep(10, 0, taken), true)
      assert.equal(await keep(10, 0, ['late']), false)
      const first = { from: 11, items: taken.slice(0, 3), page: 11 }
      assert.deepEqual(await triggers.taken('flow-a', node), first)
      assert.ok(await runs.acceptEvent(sampleRun(), { node, mark: 12 }))
      const rest = { from: 13, items: taken.slice(2, 3), page: 11 }
      assert.deepEqual(await triggers.taken('flow-a', node), rest)
      const store = await subject.reopen()
      assert.deepEqual(await store.triggers.taken('flow-a', node), rest)
      assert.ok(await store.runs.acceptEvent(sampleRun(), { node, mark: 13 }))
      assert.deepEqual(await store.triggers.taken('flow-a', node), { from: 14, items: [], page: 11 })
      await store.triggers.forgetTaken('flow-a', node, 11)
      const second = { from: 14, items: taken.slice(3), page: 14 }
      assert.deepEqual(await store.triggers.taken('flow-a', node), second)
      assert.equal(await store.triggers.keepSeen('flow-a', node, { mark: 20, seen: 'b' }, 13), true)
      assert.equal(await store.triggers.taken('flow-a', node), undefined, 'the next note takes its place')
    }
  )

  storeTest(open, 'what is known of a trigger goes with its flow', async ({ store }) => {
    const { id } = sampleFlow()
    await store.flows.create(sampleFlow({ id }))
    await store.triggers.setMark(id, 'schedule-1', 1)
    await store.triggers.keepSeen(id, 'watch-1', { mark: 1, seen: 'a' }, 0, ['1'])
    await store.flows.remove(id, 2000)
    assert.equal((await store.triggers.list(id)).length, 2)
    await store.flows.purge(id)
    assert.deepEqual(await store.triggers.list(id), [])
    await store.triggers.setMark(id, 'watch-1', 0)
    assert.equal(await store.triggers.taken(id, 'watch-1'), undefined)
  })
}

export function failureContract(open: OpenSubject): void {
  storeTest(open, 'runs that failed are read on from any number', async (subject) => {
    const failed: AcceptedRun[] = []
    for (const [place, status] of (
      ['failed', 'succeeded', 'failed', 'cancelled', 'failed'] as const
    ).entries()) {
      const run = await acceptAndEnd(subject.store, {}, { status, finishedAt: 1000 + place })
      if (status === 'failed') failed.push(run)
    }
    for await (const { runs } of beforeAndAfterRestart(subject)) {
      const all = await runs.failures(0, 10)
      assert.deepEqual(
        all.map(({ runId, flowId }) => [runId, flowId]),
        failed.map(({ id, flowId }) => [id, flowId])
      )
      assert.deepEqual(await runs.failures(0, 2), all.slice(0, 2))
      assert.deepEqual(await runs.failures(all[0]!.no, 10), all.slice(1))
      assert.deepEqual(await runs.failures(all[2]!.no, 10), [])
      assert.deepEqual(
        [await runs.lastFailureBefore(1000), await runs.lastFailureBefore(1003)],
        [0, all[1]!.no]
      )
    }
  })

  storeTest(open, 'one that was opened again fails anew', async ({ store }) => {
    const run = await acceptAndEnd(store, {}, { status: 'failed' })
    const [first] = await store.runs.failures(0, 10)
    await store.runs.reopen(run, '{}')
    assert.deepEqual(await store.runs.failures(0, 10), [])
    await store.runs.end(run, sampleOutcome({ status: 'failed' }))
    const [again] = await store.runs.failures(first!.no, 10)
    assert.equal(again!.runId, run.id)
  })

  storeTest(open, 'a mark is advanced, and not put back by whoever is behind', async ({ store }) => {
    const { triggers } = store
    await triggers.advanceMark('flow-a', 'failed-1', 10)
    await triggers.advanceMark('flow-a', 'failed-1', 5)
    assert.equal((await triggers.list('flow-a'))[0]!.mark, 10)
  })
}
