import assert from 'node:assert/strict'
import type { AcceptedRun, QueuedPage, Store } from '../store.ts'
import {
  acceptAndEnd,
  acceptMany,
  type OpenSubject,
  sampleOutcome,
  sampleRun,
  storeTest
} from './subject.test-kit.ts'

const ALL = { runs: 1_000, bytes: 1_000_000 }

function seqsOf({ runs }: QueuedPage): number[] {
  return runs.map((run) => run.seq)
}

export function queueContract(open: OpenSubject): void {
  storeTest(
    open,
    'the backlog counts unfinished runs per flow, and parked ones only once they are taken up again',
    async ({ store, reopen }) => {
      const [first] = await acceptMany(store, 3)
      await acceptMany(store, 2, { flowId: 'flow-b' })
      await acceptAndEnd(store, { flowId: 'flow-c' })
      const parked = await store.runs.accept(sampleRun({ flowId: 'flow-d' }))
      await store.runs.park(first!, '"wait"', 5000)
      await store.runs.park(parked, '"wait"', 5000)
      const counts = async (from: Store) => Object.fromEntries(await from.runs.backlog())
      assert.deepEqual(await counts(store), { 'flow-a': 2, 'flow-b': 2 })
      const again = await reopen()
      assert.deepEqual(await counts(again), { 'flow-a': 2, 'flow-b': 2 })
      await again.runs.takeDue('flow-a', 5000, ALL)
      assert.deepEqual(await counts(again), { 'flow-a': 3, 'flow-b': 2 })
    }
  )

  storeTest(
    open,
    'waiting runs come oldest first, page by page, with their journal',
    async ({ store, reopen }) => {
      const runs = await acceptMany(store, 5)
      await acceptMany(store, 2, { flowId: 'flow-b' })
      await store.runs.checkpoint(runs[1]!, '"begun"')
      await store.runs.end(runs[2]!, sampleOutcome())
      await store.runs.park(runs[3]!, '"wait"', 5000)
      const again = await reopen()
      const page = await again.runs.queued('flow-a', 0, { ...ALL, runs: 2 })
      assert.deepEqual(seqsOf(page), [runs[0]!.seq, runs[1]!.seq])
      assert.equal(page.isLast, false)
      assert.deepEqual(page.runs[1]?.journal, ['"begun"'])
      assert.equal(Buffer.from(page.runs[1]!.input).toString(), '{"order":7}')
      const rest = await again.runs.queued('flow-a', page.runs[1]!.seq, ALL)
      assert.deepEqual([seqsOf(rest), rest.isLast], [[runs[4]!.seq], true])
      assert.deepEqual(await again.runs.queued('flow-z', 0, ALL), { runs: [], isLast: true })
    }
  )

  storeTest(open, 'a page is no larger than it may be, but for one run that is', async ({ store }) => {
    const runs: AcceptedRun[] = []
    for (const size of [10, 100, 10, 10]) {
      runs.push(await store.runs.accept(sampleRun({ input: Buffer.alloc(size, '1') })))
    }
    const seqs = runs.map((run) => run.seq)
    const limit = { runs: 10, bytes: 25 }
    const after = (place: number) => store.runs.queued('flow-a', place < 0 ? 0 : seqs[place]!, limit)
    assert.deepEqual([seqsOf(await after(-1)), (await after(-1)).isLast], [[seqs[0]], false])
    assert.deepEqual([seqsOf(await after(0)), (await after(0)).isLast], [[seqs[1]], false])
    assert.deepEqual([seqsOf(await after(1)), (await after(1)).isLast], [[seqs[2], seqs[3]], true])
    for (const run of runs) await store.runs.park(run, '""', 1000)
    const due: (number[] | boolean)[] = []
    for (let turn = 0; turn < 3; turn++) {
      const { runs: taken, isLast } = await store.runs.takeDue('flow-a', 1000, limit)
      due.push(
        taken.map((run) => run.seq),
        isLast
      )
    }
    assert.deepEqual(due, [[seqs[0]], false, [seqs[1]], false, [seqs[2], seqs[3]], true])
  })

  storeTest(open, 'journals are part of the size of a page, and long values are not', async ({ store }) => {
    const runs = await acceptMany(store, 3)
    const seqs = runs.map((run) => run.seq)
    for (const run of [runs[0]!, runs[2]!]) await store.runs.checkpoint(run, 'x'.repeat(600))
    // A journal names them; they are read one by one when the run is executed.
    const bytes = Buffer.alloc(10_000, '1')
    assert.ok(await store.runs.keepPiece(runs[1]!, { name: 'outputs/parser-1/data', piece: 0, bytes }))
    const page = await store.runs.queued('flow-a', 0, { runs: 10, bytes: 1_000 })
    assert.deepEqual([seqsOf(page), page.isLast], [[seqs[0], seqs[1]], false])
  })

  storeTest(open, 'parked runs are taken when due, earliest first, each once', async ({ store, reopen }) => {
    const [late, early, middle] = await acceptMany(store, 3)
    const other = await store.runs.accept(sampleRun({ flowId: 'flow-b' }))
    await store.runs.park(late!, '"late"', 3000)
    await store.runs.park(early!, '"early"', 1000)
    await store.runs.park(middle!, '"middle"', 2000)
    await store.runs.park(other, '"other"', 2500)
    const again = await reopen()
    assert.equal(await again.runs.nextDue(0), 1000)
    assert.equal(await again.runs.nextDue(1000), 2000)
    assert.deepEqual(await again.runs.flowsDue(999), [])
    assert.deepEqual(await again.runs.flowsDue(1000), ['flow-a'])
    assert.deepEqual((await again.runs.flowsDue(2500)).sort(), ['flow-a', 'flow-b'])
    assert.deepEqual(await again.runs.takeDue('flow-a', 999, ALL), { runs: [], isLast: true })
    const first = await again.runs.takeDue('flow-a', 2500, { ...ALL, runs: 1 })
    assert.deepEqual(
      [seqsOf(first), first.runs[0]?.journal, first.isLast],
      [[early!.seq], ['"early"'], false]
    )
    assert.equal(await again.runs.nextDue(0), 2000)
    // Who of two that ask at once gets which of them is not said.
    const both = [1, 2].map(() => again.runs.takeDue('flow-a', 3000, ALL))
    const rest = (await Promise.all(both)).flatMap(seqsOf).sort((a, b) => a - b)
    assert.deepEqual(rest, [late!.seq, middle!.seq])
    assert.equal(await again.runs.nextDue(0), 2500)
    assert.deepEqual(seqsOf(await again.runs.takeDue('flow-b', 2500, ALL)), [other.seq])
    assert.equal(await again.runs.nextDue(0), null)
  })

  storeTest(
    open,
    'a run that was taken waits like any other, also after a restart',
    async ({ store, reopen }) => {
      const run = await store.runs.accept(sampleRun())
      await store.runs.park(run, '"wait"', 1000)
      assert.deepEqual(seqsOf(await store.runs.queued('flow-a', 0, ALL)), [])
      await store.runs.takeDue('flow-a', 1000, ALL)
      assert.deepEqual(seqsOf(await (await reopen()).runs.queued('flow-a', 0, ALL)), [run.seq])
    }
  )

  storeTest(open, 'a parked run can be parked anew, and can end', async ({ store }) => {
    const run = await store.runs.accept(sampleRun())
    await store.runs.park(run, '"one"', 1000)
    await store.runs.park(run, '"two"', 2000)
    assert.equal(await store.runs.nextDue(0), 2000)
    assert.ok((await store.runs.end(run, sampleOutcome({ status: 'cancelled' }))) !== null)
    assert.equal(await store.runs.nextDue(0), null)
    assert.deepEqual(await store.runs.takeDue('flow-a', 9000, ALL), { runs: [], isLast: true })
  })

  storeTest(open, 'a run that was opened again is not parked', async ({ store }) => {
    const run = await store.runs.accept(sampleRun())
    await store.runs.park(run, '"wait"', 1000)
    await store.runs.end(run, sampleOutcome({ status: 'failed' }))
    await store.runs.reopen(run, '"again"')
    assert.equal(await store.runs.nextDue(0), null)
    assert.deepEqual(seqsOf(await store.runs.queued('flow-a', 0, ALL)), [run.seq])
  })
}
