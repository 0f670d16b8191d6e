import assert from 'node:assert/strict'
import type { AcceptedRun, Store, WaitingPage } from '../store.ts'
import type { NewWait, StoredWait, Wake } from '../waits.ts'
import {
  beforeAndAfterRestart,
  listedIds,
  type OpenSubject,
  sampleId,
  sampleOutcome,
  sampleRun,
  storeTest
} from './subject.test-kit.ts'

const ALL = { runs: 1_000, bytes: 1_000_000 }

export function sampleWait(given: Partial<NewWait> = {}): NewWait {
  return {
    id: sampleId(),
    node: 'wait-1',
    kind: 'call',
    createdAt: 1_000,
    expiresAt: 9_000,
    question: null,
    ...given
  }
}

function sampleWake(run: AcceptedRun, given: Partial<Wake> = {}): Wake {
  return { run, node: 'wait-1', at: 2_000, entry: '"woken"', answer: '{"choice":"yes"}', ...given }
}

/** A run whose step waits, and which is parked with the time of the wait. */
async function parkedRun(store: Store, given: Partial<NewWait> = {}) {
  const run = await store.runs.accept(sampleRun())
  const wait = sampleWait(given)
  assert.ok((await store.runs.openWait(run, '"waiting"', wait)) !== null)
  await store.runs.park(run, '"parked"', wait.expiresAt, [wait.node])
  return { run, wait }
}

function idsOf({ runs }: WaitingPage): string[] {
  return runs.map(({ id }) => id)
}

export function waitContract(open: OpenSubject): void {
  wakeContract(open)
  earlyContract(open)
  closeContract(open)
  interleavingContract(open)
  waitingStatusContract(open)
  listContract(open)
}

function wakeContract(open: OpenSubject): void {
  storeTest(open, 'a parked run is due from the moment at which it is woken', async ({ store, reopen }) => {
    const { run } = await parkedRun(store)
    assert.equal(await store.runs.nextDue(0), 9_000)
    const last = await store.runs.lastChange()
    const woken = await store.runs.wake(sampleWake(run))
    assert.ok(woken.won && woken.no > last)
    const again = await reopen()
    assert.equal(await again.runs.nextDue(0), 2_000)
    assert.deepEqual(await again.runs.flowsDue(1_999), [])
    assert.deepEqual(await again.runs.flowsDue(2_000), ['flow-a'])
    const page = await again.runs.takeDue('flow-a', 2_000, ALL)
    assert.deepEqual(page.runs[0]?.journal, ['"waiting"', '"parked"', '"woken"'])
    assert.deepEqual(await again.runs.takeDue('flow-a', 9_000, ALL), { runs: [], isLast: true })
  })

  storeTest(open, 'what woke a run is a change like any other', async ({ store }) => {
    const { run } = await parkedRun(store)
    const woken = await store.runs.wake(sampleWake(run))
    const [change] = await store.runs.changes(['flow-a'], (await store.runs.lastChange()) - 1, 10)
    assert.deepEqual(change, {
      no: woken.won ? woken.no : 0,
      kind: 'journal',
      flowId: 'flow-a',
      runId: run.id,
      entry: '"woken"'
    })
  })

  storeTest(open, 'a wait is woken once, whoever comes first', async ({ store, reopen }) => {
    const { run } = await parkedRun(store)
    const results = await Promise.all([1, 2, 3].map(() => store.runs.wake(sampleWake(run))))
    assert.equal(results.filter((each) => each.won).length, 1)
    const late = await (await reopen()).runs.wake(sampleWake(run))
    assert.deepEqual(late, { won: false, because: 'woken' })
    for (const each of results) if (!each.won) assert.equal(each.because, 'woken')
  })

  storeTest(open, 'nobody wakes a wait from its last moment on', async ({ store }) => {
    const { run } = await parkedRun(store)
    assert.deepEqual(await store.runs.wake(sampleWake(run, { at: 9_000 })), { won: false, because: 'over' })
    assert.equal((await store.runs.wake(sampleWake(run, { at: 8_999 }))).won, true)
  })

  storeTest(open, 'a run that time does not wake is due only when it is woken', async ({ store, reopen }) => {
    const { run } = await parkedRun(store, { expiresAt: null })
    const again = await reopen()
    assert.equal(await again.runs.nextDue(0), null)
    assert.deepEqual(await again.runs.flowsDue(8e15), [])
    assert.deepEqual(await again.runs.backlog(), new Map())
    await again.runs.wake(sampleWake(run, { at: 5_000_000 }))
    assert.deepEqual(idsOf(await again.runs.takeDue('flow-a', 5_000_000, ALL)), [run.id])
  })

  storeTest(open, 'who is not waited for is told so', async ({ store }) => {
    const run = await store.runs.accept(sampleRun())
    assert.deepEqual(await store.runs.wake(sampleWake(run)), { won: false, because: 'none' })
    const { run: ended } = await parkedRun(store)
    await store.runs.end(ended, sampleOutcome({ status: 'cancelled' }))
    for (const early of [{}, { early: true }] as const) {
      assert.deepEqual(await store.runs.wake(sampleWake(ended, early)), { won: false, because: 'ended' })
    }
    assert.deepEqual((await store.runs.get(run.id))?.journal, [])
  })

  storeTest(open, 'each node of a run waits by itself', async ({ store }) => {
    const run = await store.runs.accept(sampleRun())
    for (const node of ['a', 'b']) await store.runs.openWait(run, `"${node}"`, sampleWait({ node }))
    await store.runs.park(run, '"parked"', 9_000, ['a', 'b'])
    await store.runs.wake(sampleWake(run, { node: 'b' }))
    assert.deepEqual(idsOf(await store.runs.takeDue('flow-a', 2_000, ALL)), [run.id])
    assert.deepEqual(await store.runs.closeWait(run, 'b', 2_000), { state: 'woken', entry: '"woken"' })
    assert.equal((await store.runs.wake(sampleWake(run, { node: 'a' }))).won, true)
  })

  storeTest(open, 'a run that has ended opens no wait', async ({ store }) => {
    const run = await store.runs.accept(sampleRun())
    await store.runs.end(run, sampleOutcome())
    const wait = sampleWait()
    assert.equal(await store.runs.openWait(run, '"waiting"', wait), null)
    assert.equal(await store.runs.waitById(wait.id), undefined)
  })
}

function earlyContract(open: OpenSubject): void {
  storeTest(open, 'a call that comes before its run waits for it is not lost', async ({ store, reopen }) => {
    const run = await store.runs.accept(sampleRun())
    assert.equal((await store.runs.wake(sampleWake(run, { early: true }))).won, true)
    assert.deepEqual(await store.runs.wake(sampleWake(run, { early: true })), {
      won: false,
      because: 'woken'
    })
    const again = await reopen()
    const wait = sampleWait()
    await again.runs.openWait(run, '"waiting"', wait)
    const found = await again.runs.waitById(wait.id)
    assert.deepEqual([found?.state, found?.endedAt, found?.answer], ['woken', 2_000, '{"choice":"yes"}'])
    await again.runs.park(run, '"parked"', 9_000, ['wait-1'])
    assert.deepEqual(idsOf(await again.runs.takeDue('flow-a', 2_000, ALL)), [run.id])
    assert.deepEqual(await again.runs.closeWait(run, 'wait-1', 2_000), {
      state: 'woken',
      entry: '"woken"'
    })
  })

  storeTest(open, 'an early call wakes a wait that is open already', async ({ store }) => {
    const { run } = await parkedRun(store)
    assert.equal((await store.runs.wake(sampleWake(run, { early: true }))).won, true)
    assert.deepEqual(idsOf(await store.runs.takeDue('flow-a', 2_000, ALL)), [run.id])
  })

  storeTest(open, 'an early call outlives a retry that begins the journal anew', async ({ store }) => {
    const run = await store.runs.accept(sampleRun())
    await store.runs.wake(sampleWake(run, { early: true }))
    await store.runs.end(run, sampleOutcome({ status: 'failed' }))
    await store.runs.reopen(run, '"again"')
    await store.runs.openWait(run, '"waiting"', sampleWait())
    assert.deepEqual(await store.runs.closeWait(run, 'wait-1', 9_000), { state: 'woken', entry: '"woken"' })
  })
}

function closeContract(open: OpenSubject): void {
  storeTest(open, 'a wait whose time has come is over for good', async ({ store }) => {
    const { run, wait } = await parkedRun(store)
    assert.deepEqual(idsOf(await store.runs.takeDue('flow-a', 9_000, ALL)), [run.id])
    assert.deepEqual(await store.runs.closeWait(run, 'wait-1', 9_000), { state: 'over' })
    assert.deepEqual(await store.runs.closeWait(run, 'wait-1', 9_001), { state: 'over' })
    assert.deepEqual(await store.runs.wake(sampleWake(run)), { won: false, because: 'over' })
    const found = await store.runs.waitById(wait.id)
    assert.deepEqual([found?.state, found?.endedAt], ['over', 9_000])
    assert.deepEqual(await store.runs.closeWait(run, 'no such node', 9_000), { state: 'over' })
  })

  storeTest(open, 'of a wake and a close exactly one decides, and both know', async ({ store }) => {
    for (let round = 0; round < 5; round++) {
      const { run } = await parkedRun(store)
      const [woken, standing] = await Promise.all([
        store.runs.wake(sampleWake(run)),
        store.runs.closeWait(run, 'wait-1', 9_000)
      ])
      assert.equal(standing.state, woken.won ? 'woken' : 'over')
      await store.runs.end(run, sampleOutcome())
    }
  })

  storeTest(open, 'the end of a run ends its open waits, however it ends', async ({ store }) => {
    for (const status of ['succeeded', 'failed', 'cancelled'] as const) {
      const run = await store.runs.accept(sampleRun())
      const waits = ['a', 'b', 'c'].map((node) => sampleWait({ node }))
      for (const wait of waits) await store.runs.openWait(run, '"waiting"', wait)
      if (status === 'cancelled') await store.runs.park(run, '"parked"', null, ['a', 'b', 'c'])
      await store.runs.wake(sampleWake(run, { node: 'b' }))
      await store.runs.end(run, sampleOutcome({ status, finishedAt: 4_000 }))
      const found = await Promise.all(waits.map(({ id }) => store.runs.waitById(id)))
      assert.deepEqual(
        found.map((wait) => [wait?.state, wait?.endedAt]),
        [
          ['over', 4_000],
          ['woken', 2_000],
          ['over', 4_000]
        ]
      )
    }
  })

  storeTest(open, 'a node may wait again, after its wait or after a retry', async ({ store }) => {
    const { run, wait } = await parkedRun(store)
    await store.runs.wake(sampleWake(run))
    await store.runs.takeDue('flow-a', 2_000, ALL)
    const second = sampleWait()
    await store.runs.openWait(run, '"waiting again"', second)
    assert.equal(await store.runs.waitById(wait.id), undefined)
    const found = await store.runs.waitById(second.id)
    assert.deepEqual([found?.state, found?.endedAt, found?.answer], ['open', null, null])
    await store.runs.park(run, '"parked"', 9_000, ['wait-1'])
    assert.equal(await store.runs.nextDue(0), 9_000)
    await store.runs.end(run, sampleOutcome({ status: 'failed' }))
    await store.runs.reopen(run, '"again"')
    assert.deepEqual(await store.runs.wake(sampleWake(run)), { won: false, because: 'over' })
    const third = sampleWait()
    await store.runs.openWait(run, '"waiting"', third)
    assert.equal((await store.runs.wake(sampleWake(run))).won, true)
  })
}

function interleavingContract(open: OpenSubject): void {
  storeTest(open, 'a run that is woken before it is parked is due at once', async ({ store, reopen }) => {
    const run = await store.runs.accept(sampleRun())
    await store.runs.openWait(run, '"waiting"', sampleWait())
    await store.runs.wake(sampleWake(run))
    assert.equal(await store.runs.nextDue(0), null)
    await store.runs.park(run, '"parked"', null, ['wait-1'])
    const again = await reopen()
    assert.deepEqual(idsOf(await again.runs.takeDue('flow-a', 2_000, ALL)), [run.id])
  })

  storeTest(open, 'a wake that comes together with the park is not lost', async ({ store }) => {
    for (const wakesFirst of [true, false]) {
      const run = await store.runs.accept(sampleRun())
      await store.runs.openWait(run, '"waiting"', sampleWait())
      const park = () => store.runs.park(run, '"parked"', null, ['wait-1'])
      const wake = () => store.runs.wake(sampleWake(run))
      await Promise.all(wakesFirst ? [wake(), park()] : [park(), wake()])
      assert.deepEqual(idsOf(await store.runs.takeDue('flow-a', 2_000, ALL)), [run.id])
    }
  })

  storeTest(open, 'a run that was taken up when it is woken learns of it', async ({ store, reopen }) => {
    const { run } = await parkedRun(store)
    await store.runs.takeDue('flow-a', 9_000, ALL)
    await store.runs.wake(sampleWake(run, { at: 8_999 }))
    const again = await reopen()
    // After a crash it is taken up once more, with what came.
    const waiting = await again.runs.waiting('flow-a', 0, ALL)
    assert.deepEqual(waiting.runs[0]?.journal, ['"waiting"', '"parked"', '"woken"'])
    assert.deepEqual(await again.runs.closeWait(run, 'wait-1', 9_000), { state: 'woken', entry: '"woken"' })
  })

  storeTest(
    open,
    'a wait without a park outlives a restart, and its run goes on',
    async ({ store, reopen }) => {
      const run = await store.runs.accept(sampleRun())
      await store.runs.openWait(run, '"waiting"', sampleWait())
      const again = await reopen()
      const waiting = await again.runs.waiting('flow-a', 0, ALL)
      assert.deepEqual(waiting.runs[0]?.journal, ['"waiting"'])
      assert.equal((await again.runs.wake(sampleWake(run))).won, true)
    }
  )

  storeTest(open, 'a wake of an earlier wait does not make a later pause short', async ({ store }) => {
    const { run } = await parkedRun(store)
    await store.runs.wake(sampleWake(run))
    await store.runs.takeDue('flow-a', 2_000, ALL)
    await store.runs.park(run, '"pause"', 7_000)
    assert.equal(await store.runs.nextDue(0), 7_000)
  })
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
