import assert from 'node:assert/strict'
import {
  acceptAndEnd,
  acceptMany,
  type OpenSubject,
  sampleOutcome,
  sampleRun,
  storeTest
} from './subject.test-kit.ts'

export function queueContract(open: OpenSubject): void {
  storeTest(open, 'the backlog counts unfinished runs per flow, parked ones too', async ({ store }) => {
    const [first] = await acceptMany(store, 3)
    await acceptMany(store, 2, { flowId: 'flow-b' })
    await acceptAndEnd(store, { flowId: 'flow-c' })
    await store.runs.park(first!, '"wait"', 5000)
    assert.deepEqual(
      await store.runs.backlog(),
      new Map([
        ['flow-a', 3],
        ['flow-b', 2]
      ])
    )
  })

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
      const page = await again.runs.waiting('flow-a', 0, 2)
      assert.deepEqual(
        page.map((run) => run.seq),
        [runs[0]!.seq, runs[1]!.seq]
      )
      assert.deepEqual(page[1]?.journal, ['"begun"'])
      assert.equal(Buffer.from(page[1]!.input).toString(), '{"order":7}')
      const rest = await again.runs.waiting('flow-a', page[1]!.seq, 10)
      assert.deepEqual(
        rest.map((run) => run.seq),
        [runs[4]!.seq]
      )
      assert.deepEqual(await again.runs.waiting('flow-z', 0, 10), [])
    }
  )

  storeTest(open, 'parked runs are taken when due, earliest first, each once', async ({ store, reopen }) => {
    const [late, early, middle] = await acceptMany(store, 3)
    await store.runs.park(late!, '"late"', 3000)
    await store.runs.park(early!, '"early"', 1000)
    await store.runs.park(middle!, '"middle"', 2000)
    const again = await reopen()
    assert.equal(await again.runs.nextDue(), 1000)
    assert.deepEqual(await again.runs.takeDue(999, 10), [])
    const [first] = await again.runs.takeDue(2500, 1)
    assert.equal(first?.seq, early!.seq)
    assert.deepEqual(first?.journal, ['"early"'])
    assert.equal(await again.runs.nextDue(), 2000)
    // Who of two that ask at once gets which of them is not said.
    const rest = await Promise.all([again.runs.takeDue(3000, 10), again.runs.takeDue(3000, 10)])
    assert.deepEqual(
      rest
        .flat()
        .map((run) => run.seq)
        .sort((a, b) => a - b),
      [late!.seq, middle!.seq]
    )
    assert.equal(await again.runs.nextDue(), null)
  })

  storeTest(
    open,
    'a run that was taken waits like any other, also after a restart',
    async ({ store, reopen }) => {
      const run = await store.runs.accept(sampleRun())
      await store.runs.park(run, '"wait"', 1000)
      assert.deepEqual(await store.runs.waiting('flow-a', 0, 10), [])
      await store.runs.takeDue(1000, 10)
      const waiting = await (await reopen()).runs.waiting('flow-a', 0, 10)
      assert.deepEqual(
        waiting.map((each) => each.seq),
        [run.seq]
      )
    }
  )

  storeTest(open, 'a parked run can be parked anew, and can end', async ({ store }) => {
    const run = await store.runs.accept(sampleRun())
    await store.runs.park(run, '"one"', 1000)
    await store.runs.park(run, '"two"', 2000)
    assert.equal(await store.runs.nextDue(), 2000)
    assert.ok((await store.runs.end(run, sampleOutcome({ status: 'cancelled' }))) !== null)
    assert.equal(await store.runs.nextDue(), null)
    assert.deepEqual(await store.runs.takeDue(9000, 10), [])
  })

  storeTest(open, 'a run that was opened again is not parked', async ({ store }) => {
    const run = await store.runs.accept(sampleRun())
    await store.runs.park(run, '"wait"', 1000)
    await store.runs.end(run, sampleOutcome({ status: 'failed' }))
    await store.runs.reopen(run, '"again"')
    assert.equal(await store.runs.nextDue(), null)
    assert.equal((await store.runs.waiting('flow-a', 0, 10)).length, 1)
  })
}
