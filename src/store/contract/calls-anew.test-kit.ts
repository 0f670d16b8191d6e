import assert from 'node:assert/strict'
import type { AcceptedRun } from '../store.ts'
import { RULES, waitingParent } from './sample-children.test-kit.ts'
import { ALL, parkedRun, sampleWait, sampleWake } from './sample-waits.test-kit.ts'
import { type OpenSubject, sampleOutcome, storeTest } from './subject.test-kit.ts'

export function callsAnewContract(open: OpenSubject): void {
  storeTest(open, 'a run that asks anew for calls takes one that comes early', async ({ store, reopen }) => {
    const { run } = await parkedRun(store)
    const other = sampleWait({ node: 'wait-2' })
    await store.runs.openWait(run, '"waiting"', other)
    await store.runs.wake(sampleWake(run))
    await store.runs.wake(sampleWake(run, { node: 'wait-2' }))
    await store.runs.takeDue('flow-a', 2_000, ALL)
    const endNo = (await store.runs.end(run, sampleOutcome()))!
    const only = { endNo, mayHaveSucceeded: true, calledAnew: ['wait-1'] }
    assert.ok((await store.runs.reopen(run, '"again"', only)) !== null)

    const again = await reopen()
    const early = sampleWake(run, { at: 5_000, entry: '"anew"', early: true })
    assert.equal((await again.runs.wake(early)).won, true)
    assert.deepEqual(await again.runs.wake({ ...early, node: 'wait-2' }), { won: false, because: 'woken' })
    const [due] = (await again.runs.takeDue('flow-a', 5_000, ALL)).runs
    assert.deepEqual((due ?? (await again.runs.get(run.id)))?.journal, ['"again"', '"anew"'])
    assert.ok((await again.runs.openWait(due ?? run, '"waits"', sampleWait())) !== null)
    const standing = await again.runs.closeWait(due ?? run, 'wait-1', 6_000)
    assert.deepEqual(standing, { state: 'woken', entry: '"anew"' })
  })

  storeTest(open, 'a child that is opened again takes a call that comes early, too', async ({ store }) => {
    const { parent, begun } = await waitingParent(store, 2)
    for (const run of begun) {
      await store.runs.openWait(run, '"waiting"', sampleWait())
      await store.runs.end(run, sampleOutcome({ status: 'cancelled' }))
    }
    const [first, second] = begun as [AcceptedRun, AcceptedRun]
    const reopenings = [
      { run: first, index: 0, entry: '"again"', calledAnew: ['wait-1'] },
      { run: second, index: 1, entry: '"again"' }
    ]
    await store.runs.reopenChildren(parent, 'each-1', reopenings, RULES)
    const wake = (run: AcceptedRun) => store.runs.wake(sampleWake(run, { at: 5_000, early: true }))
    assert.equal((await wake(first)).won, true)
    assert.deepEqual(await wake(second), { won: false, because: 'over' })
  })
}
