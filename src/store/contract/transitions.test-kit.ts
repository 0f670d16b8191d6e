import assert from 'node:assert/strict'
import { waitingParent } from './sample-children.test-kit.ts'
import {
  acceptAndEnd,
  beforeAndAfterRestart,
  type OpenSubject,
  sampleFlow,
  sampleOutcome,
  sampleRun,
  storeTest
} from './subject.test-kit.ts'

export function transitionContract(open: OpenSubject): void {
  endContract(open)
  endAsReadContract(open)
  journalContract(open)
  reopenContract(open)
}

function endContract(open: OpenSubject): void {
  storeTest(open, 'an ended run has its outcome, also after a restart', async (subject) => {
    const { store } = subject
    const run = await store.runs.accept(sampleRun())
    const { messages, nodesWithOutput, usage, ...kept } = sampleOutcome({
      status: 'failed',
      error: '{"node":"parser-1"}',
      steps: '[{"node":"parser-1"}]'
    })
    const no = await store.runs.end(run, { ...kept, messages, nodesWithOutput, usage })
    assert.ok(no! > run.seq)
    for await (const each of beforeAndAfterRestart(subject)) {
      assert.deepEqual((await each.runs.get(run.id))?.outcome, { no, ...kept })
      assert.deepEqual(await each.runs.backlog(), new Map())
    }
  })

  storeTest(open, 'a run that never began can end', async ({ store }) => {
    const run = await acceptAndEnd(store, {}, { status: 'cancelled', startedAt: null })
    assert.equal((await store.runs.get(run.id))?.outcome?.startedAt, null)
  })

  storeTest(open, 'a run ends once: the second ending changes nothing', async ({ store }) => {
    const run = await store.runs.accept(sampleRun())
    const first = await store.runs.end(run, sampleOutcome({ status: 'succeeded' }))
    assert.equal(await store.runs.end(run, sampleOutcome({ status: 'failed' })), null)
    assert.equal(await store.runs.lastChange(), first)
    assert.equal((await store.runs.get(run.id))?.outcome?.status, 'succeeded')
  })

  storeTest(open, 'of two endings handed in together exactly one wins', async ({ store }) => {
    const run = await store.runs.accept(sampleRun())
    const numbers = await Promise.all([
      store.runs.end(run, sampleOutcome({ status: 'cancelled' })),
      store.runs.end(run, sampleOutcome({ status: 'succeeded' }))
    ])
    assert.equal(numbers.filter((no) => no !== null).length, 1)
  })

  storeTest(open, 'a run that does not exist, or is of another flow, does not end', async ({ store }) => {
    const run = await store.runs.accept(sampleRun())
    assert.equal(await store.runs.end({ seq: 999, flowId: 'flow-a' }, sampleOutcome()), null)
    assert.equal(await store.runs.end({ seq: run.seq, flowId: 'flow-b' }, sampleOutcome()), null)
    assert.equal((await store.runs.get(run.id))?.outcome, null)
  })
}

function endAsReadContract(open: OpenSubject): void {
  const CANCELLED = sampleOutcome({ status: 'cancelled' })

  storeTest(open, 'a run is ended from outside only as it was read', async ({ store }) => {
    const run = await store.runs.accept(sampleRun())
    const read = async () => (await store.runs.readToEnd(run.id)) ?? assert.fail('it is gone')
    const atFirst = await read()
    const { lastEntry, isCancelWanted: _, state, ...stored } = atFirst
    assert.deepEqual(stored, await store.runs.get(run.id))
    assert.deepEqual([lastEntry, state], [0, 'queued'])
    const no = await store.runs.checkpoint(run, '"paid"')
    assert.equal(await store.runs.endAsRead(atFirst, CANCELLED), null)
    const then = await read()
    assert.deepEqual([then.lastEntry, then.outcome, then.journal], [no, null, ['"paid"']])
    await store.runs.park(run, '"waits"', null)
    assert.equal(await store.runs.endAsRead(then, CANCELLED), null)
    const last = await read()
    assert.ok((await store.runs.endAsRead(last, CANCELLED))! > last.lastEntry)
    assert.equal((await store.runs.get(run.id))?.outcome?.status, 'cancelled')
    assert.equal(await store.runs.endAsRead(last, CANCELLED), null, 'it has ended')
    await store.runs.reopen(run, '"again"')
    assert.equal(await store.runs.endAsRead(last, CANCELLED), null, 'it goes on')
    assert.equal(await store.runs.readToEnd('nobody'), undefined)
  })

  storeTest(open, 'with a run that is ended from outside its children are orphaned', async ({ store }) => {
    const { parent, begun } = await waitingParent(store, 2)
    assert.equal(await store.runs.isOrphaned(begun[0]!.seq), false)
    const read = (await store.runs.readToEnd(parent.id)) ?? assert.fail('it is gone')
    assert.ok((await store.runs.endAsRead(read, CANCELLED))! > 0)
    assert.equal(await store.runs.isOrphaned(begun[0]!.seq), true)
  })
}

function journalContract(open: OpenSubject): void {
  storeTest(
    open,
    'entries of a journal are forgotten by their text, those of no other run',
    async ({ store }) => {
      const [run, other] = [await store.runs.accept(sampleRun()), await store.runs.accept(sampleRun())]
      for (const text of ['"one"', '"two"', '"three"', '"Two"'])
        for (const each of [run, other]) await store.runs.checkpoint(each, text)
      await store.runs.forgetEntries(run, ['"two"', '"three"', '"none"'])
      assert.deepEqual((await store.runs.get(run.id))?.journal, ['"one"', '"Two"'])
      assert.equal((await store.runs.get(other.id))?.journal.length, 4)
    }
  )

  storeTest(open, 'checkpoints are kept in order, and stay after the end', async ({ store, reopen }) => {
    const run = await store.runs.accept(sampleRun())
    const numbers = [await store.runs.checkpoint(run, '"one"'), await store.runs.checkpoint(run, '"two"')]
    assert.ok(run.seq < numbers[0]! && numbers[0]! < numbers[1]!)
    assert.deepEqual((await store.runs.get(run.id))?.journal, ['"one"', '"two"'])
    await store.runs.end(run, sampleOutcome())
    assert.deepEqual((await (await reopen()).runs.get(run.id))?.journal, ['"one"', '"two"'])
  })

  storeTest(open, 'after the end there is no checkpoint and no parking', async ({ store }) => {
    const run = await acceptAndEnd(store)
    const last = await store.runs.lastChange()
    assert.equal(await store.runs.checkpoint(run, '"late"'), null)
    assert.equal(await store.runs.park(run, '"late"', 1), null)
    assert.equal(await store.runs.nextDue(0), null)
    assert.deepEqual((await store.runs.get(run.id))?.journal, [])
    assert.equal(await store.runs.lastChange(), last)
  })

  storeTest(open, 'a checkpoint belongs to the flow of its run', async ({ store }) => {
    const run = await store.runs.accept(sampleRun())
    assert.equal(await store.runs.checkpoint({ seq: run.seq, flowId: 'flow-b' }, '"x"'), null)
    assert.equal(await store.runs.park({ seq: run.seq, flowId: 'flow-b' }, '"x"', 1), null)
  })
}

function reopenContract(open: OpenSubject): void {
  for (const status of ['failed', 'cancelled'] as const) {
    storeTest(open, `a ${status} run is opened again with a new journal`, async ({ store, reopen }) => {
      const run = await store.runs.accept(sampleRun())
      await store.runs.checkpoint(run, '"old"')
      const ended = await store.runs.end(run, sampleOutcome({ status }))
      const no = await store.runs.reopen(run, '"again"')
      assert.ok(no! > ended!)
      const again = await reopen()
      const found = await again.runs.get(run.id)
      assert.equal(found?.outcome, null)
      assert.deepEqual(found?.journal, ['"again"'])
      assert.deepEqual(await again.runs.backlog(), new Map([['flow-a', 1]]))
      assert.ok((await again.runs.end(run, sampleOutcome()))! > no!)
      assert.equal((await again.runs.get(run.id))?.outcome?.status, 'succeeded')
    })
  }

  storeTest(open, 'an open run and a succeeded one are not opened again', async ({ store }) => {
    const open = await store.runs.accept(sampleRun())
    assert.equal(await store.runs.reopen(open, '"x"'), null)
    const succeeded = await acceptAndEnd(store)
    assert.equal(await store.runs.reopen(succeeded, '"x"'), null)
    const { no: endNo } = (await store.runs.get(succeeded.id))!.outcome!
    assert.notEqual(await store.runs.reopen(succeeded, '"items"', { endNo, mayHaveSucceeded: true }), null)
    assert.deepEqual((await store.runs.get(succeeded.id))?.journal, ['"items"'])
    const failed = await acceptAndEnd(store, {}, { status: 'failed' })
    assert.equal(await store.runs.reopen({ seq: failed.seq, flowId: 'flow-b' }, '"x"'), null)
    const numbers = await Promise.all([store.runs.reopen(failed, '"a"'), store.runs.reopen(failed, '"b"')])
    assert.equal(numbers.filter((no) => no !== null).length, 1)
  })

  storeTest(open, 'a run is opened again only as it had ended when somebody looked', async ({ store }) => {
    const run = await store.runs.accept(sampleRun())
    const first = await store.runs.end(run, sampleOutcome({ status: 'failed' }))
    await store.runs.reopen(run, '"quicker"', { endNo: first! })
    const second = await store.runs.end(run, sampleOutcome({ status: 'failed' }))
    assert.equal(await store.runs.reopen(run, '"slower"', { endNo: first! }), null)
    assert.equal((await store.runs.get(run.id))?.outcome?.no, second)
    assert.ok((await store.runs.reopen(run, '"again"', { endNo: second! }))! > second!)
  })

  storeTest(open, 'a run is opened again only while its flow has its version', async ({ store }) => {
    const flow = sampleFlow()
    await store.flows.create(flow)
    const run = await store.runs.accept(sampleRun({ flowId: flow.id }))
    const endNo = (await store.runs.end(run, sampleOutcome({ status: 'cancelled' })))!
    assert.equal(await store.runs.reopen(run, '"x"', { endNo, version: 2 }), null)
    await store.flows.remove(flow.id, 1000)
    await store.flows.purge(flow.id)
    assert.equal(await store.runs.reopen(run, '"x"', { endNo, version: 1 }), null)
    assert.equal((await store.runs.get(run.id))?.outcome?.status, 'cancelled')
  })
}
