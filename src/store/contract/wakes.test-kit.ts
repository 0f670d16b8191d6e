import assert from 'node:assert/strict'
import type { QueuedPage } from '../store.ts'
import { RULES, sampleChild } from './sample-children.test-kit.ts'
import { ALL, parkedRun, sampleWait, sampleWake } from './sample-waits.test-kit.ts'
import { type OpenSubject, sampleOutcome, sampleRun, storeTest } from './subject.test-kit.ts'

export function wakingContract(open: OpenSubject): void {
  wakeContract(open)
  earlyContract(open)
  openedTwiceContract(open)
  closeContract(open)
  interleavingContract(open)
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

  for (const isAwaited of [true, false]) {
    const whose = isAwaited ? 'a child that its parent waits for' : 'one that it does not wait for'
    storeTest(open, `nobody wakes ${whose} once the parent is cancelled`, async ({ store }) => {
      const parent = await store.runs.accept(sampleRun())
      const given = sampleChild(parent, { isAwaited })
      const child = isAwaited
        ? (await store.runs.startChildren(parent, 'each-1', [given], RULES))![0]!
        : (await store.runs.startDetached(parent, given))!
      await store.runs.openWait(child, '"waiting"', sampleWait())
      await store.runs.park(child, '"parked"', null, ['wait-1'])
      await store.runs.end(parent, sampleOutcome({ status: 'cancelled' }))
      assert.deepEqual(await store.runs.wake(sampleWake(child)), { won: false, because: 'ended' })
      assert.deepEqual((await store.runs.get(child.id))?.journal, ['"waiting"', '"parked"'])
    })
  }

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

function openedTwiceContract(open: OpenSubject): void {
  storeTest(
    open,
    'a wait that is opened again, because nobody heard of the first time, is as it was',
    async ({ store }) => {
      const run = await store.runs.accept(sampleRun())
      const wait = sampleWait()
      const opened = () => store.runs.openWait(run, '"waiting"', wait)
      assert.ok((await opened())! > 0)
      assert.ok((await opened())! > 0)
      assert.equal((await store.runs.waitById(wait.id))?.state, 'open')
      assert.equal((await store.runs.wake(sampleWake(run))).won, true)
      const woken = await store.runs.waitById(wait.id)
      assert.ok((await opened())! > 0)
      assert.deepEqual(await store.runs.waitById(wait.id), woken)
      assert.deepEqual(await store.runs.closeWait(run, wait.node, 9_000), {
        state: 'woken',
        entry: '"woken"'
      })
    }
  )
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
    const waiting = await again.runs.queued('flow-a', 0, ALL)
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
      const waiting = await again.runs.queued('flow-a', 0, ALL)
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

function idsOf({ runs }: QueuedPage): string[] {
  return runs.map(({ id }) => id)
}
