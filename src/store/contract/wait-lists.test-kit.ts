import assert from 'node:assert/strict'
import type { NewWait, StoredWait } from '../waits.ts'
import { ALL, parkedRun, sampleWait, sampleWake } from './sample-waits.test-kit.ts'
import {
  beforeAndAfterRestart,
  listedIds,
  type OpenSubject,
  sampleOutcome,
  sampleRun,
  storeTest
} from './subject.test-kit.ts'

export function waitListContract(open: OpenSubject): void {
  waitingStatusContract(open)
  listContract(open)
}

function waitingStatusContract(open: OpenSubject): void {
  storeTest(open, 'a run is waiting while it is parked with a wait', async (subject) => {
    const { run } = await parkedRun(subject.store)
    const pausing = await subject.store.runs.accept(sampleRun())
    await subject.store.runs.park(pausing, '"pause"', 9_000)
    for await (const store of beforeAndAfterRestart(subject)) {
      assert.equal((await store.runs.get(run.id))?.isWaiting, true)
      assert.equal((await store.runs.get(pausing.id))?.isWaiting, undefined)
      assert.deepEqual(await listedIds(store, { status: 'waiting' }), [run.id])
      assert.deepEqual(await listedIds(store, { status: 'waiting', flowIds: ['flow-b'] }), [])
      assert.deepEqual(await listedIds(store, { status: 'open' }), [pausing.id, run.id])
      assert.deepEqual(await listedIds(store, { status: 'not waiting' }), [pausing.id])
      const listed = await store.runs.list({ limit: 10 })
      assert.deepEqual(
        listed.runs.map((each) => each.isWaiting),
        [undefined, true]
      )
    }
  })

  storeTest(open, 'a run is waiting for a time too, and no longer when it is taken up', async ({ store }) => {
    const run = await store.runs.accept(sampleRun())
    await store.runs.openWait(run, '"waiting"', sampleWait({ kind: 'time' }))
    assert.equal((await store.runs.get(run.id))?.isWaiting, undefined)
    await store.runs.park(run, '"parked"', 9_000)
    assert.equal((await store.runs.get(run.id))?.isWaiting, true)
    await store.runs.takeDue('flow-a', 9_000, ALL)
    assert.equal((await store.runs.get(run.id))?.isWaiting, undefined)
    await store.runs.closeWait(run, 'wait-1', 9_000)
    // A pause between two attempts, with a wait that was.
    await store.runs.park(run, '"pause"', 10_000)
    assert.equal((await store.runs.get(run.id))?.isWaiting, undefined)
    await store.runs.end(run, sampleOutcome())
    assert.equal((await store.runs.get(run.id))?.isWaiting, undefined)
    assert.deepEqual(await listedIds(store, { status: 'waiting' }), [])
  })

  storeTest(open, 'a run that is woken and not yet taken up is still waiting', async ({ store }) => {
    const { run } = await parkedRun(store)
    await store.runs.wake(sampleWake(run))
    assert.equal((await store.runs.get(run.id))?.isWaiting, true)
    assert.deepEqual(await listedIds(store, { status: 'waiting' }), [run.id])
    assert.deepEqual(await listedIds(store, { status: 'not waiting' }), [])
    await store.runs.takeDue('flow-a', 2e12, ALL)
    assert.deepEqual(await listedIds(store, { status: 'waiting' }), [])
    assert.deepEqual(await listedIds(store, { status: 'not waiting' }), [run.id])
  })
}

function listContract(open: OpenSubject): void {
  storeTest(open, 'a wait is found by its id with all that is known of it', async (subject) => {
    const { run, wait } = await parkedRun(subject.store, { kind: 'answer', question: '{"text":"Ünï?"}' })
    const expected: StoredWait = {
      ...wait,
      runSeq: run.seq,
      runId: run.id,
      flowId: 'flow-a',
      isTest: false,
      state: 'open',
      answer: null,
      endedAt: null
    }
    for await (const store of beforeAndAfterRestart(subject)) {
      assert.deepEqual(await store.runs.waitById(wait.id), expected)
      assert.deepEqual(await store.runs.listWaits({ kind: 'answer', limit: 10 }), [expected])
      assert.equal(await store.runs.waitById('none'), undefined)
    }
  })

  storeTest(open, 'waits of tests are marked', async ({ store }) => {
    const run = await store.runs.acceptTest(sampleRun(), '{}')
    const wait = sampleWait()
    await store.runs.openWait(run, '"waiting"', wait)
    assert.equal((await store.runs.waitById(wait.id))?.isTest, true)
  })

  storeTest(open, 'waits are listed newest first, page by page', async ({ store }) => {
    const waits: NewWait[] = []
    for (const createdAt of [3_000, 1_000, 2_000, 2_000, 5_000, 4_000]) {
      waits.push((await parkedRun(store, { kind: 'answer', createdAt })).wait)
    }
    await parkedRun(store, { kind: 'call', createdAt: 2_500 })
    const ids = [4, 5, 0, 3, 2, 1].map((place) => waits[place]!.id)
    const listed: string[] = []
    let before: { createdAt: number; id: string } | undefined
    for (;;) {
      const page = await store.runs.listWaits({
        kind: 'answer',
        limit: 2,
        ...(before === undefined ? {} : { before })
      })
      if (page.length === 0) break
      listed.push(...page.map(({ id }) => id))
      before = page.at(-1)!
    }
    assert.deepEqual(listed, ids)
  })

  storeTest(open, 'waits are listed by state, by flow and by run', async ({ store }) => {
    const ids: string[] = []
    const seqs: number[] = []
    for (const [place, flowId] of ['flow-a', 'flow-b', 'flow-c', 'flow-a'].entries()) {
      const run = await store.runs.accept(sampleRun({ flowId }))
      const wait = sampleWait({ kind: 'answer', createdAt: place })
      await store.runs.openWait(run, '"waiting"', wait)
      if (place === 0) await store.runs.wake(sampleWake(run))
      if (place === 1) await store.runs.closeWait(run, 'wait-1', 9_000)
      ids.push(wait.id)
      seqs.push(run.seq)
    }
    const places = async (filter: object) => {
      const found = await store.runs.listWaits({ kind: 'answer', limit: 10, ...filter })
      return found.map(({ id }) => ids.indexOf(id))
    }
    assert.deepEqual(await places({}), [3, 2, 1, 0])
    assert.deepEqual(await places({ state: 'open' }), [3, 2])
    assert.deepEqual(await places({ state: 'woken' }), [0])
    assert.deepEqual(await places({ state: 'over' }), [1])
    assert.deepEqual(await places({ flowIds: ['flow-a', 'flow-b', 'flow-z'] }), [3, 1, 0])
    assert.deepEqual(await places({ flowIds: ['flow-a'], state: 'open' }), [3])
    assert.deepEqual(await places({ flowIds: [] }), [])
    assert.deepEqual(await places({ runSeq: seqs[1] }), [1])
    assert.deepEqual(await places({ runSeq: seqs[1], state: 'open', limit: 1 }), [])
    assert.deepEqual(await places({ runSeq: seqs[1], flowIds: ['flow-a'] }), [])
    assert.deepEqual(await places({ kind: 'call' }), [])
  })

  storeTest(open, 'waits go with their run', async ({ store }) => {
    const { run, wait } = await parkedRun(store)
    const early = await store.runs.accept(sampleRun())
    await store.runs.wake(sampleWake(early, { early: true }))
    for (const each of [run, early]) await store.runs.end(each, sampleOutcome())
    assert.equal(await store.runs.prune({ keep: 0, slice: 10 }), 2)
    assert.equal(await store.runs.waitById(wait.id), undefined)
    assert.deepEqual(await store.runs.listWaits({ kind: 'call', limit: 10 }), [])
  })
}
