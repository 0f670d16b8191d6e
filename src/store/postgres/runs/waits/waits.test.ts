import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedPostgres } from '../../../../../test/support/postgres.ts'
import { acceptMany, sampleFlow, sampleId, sampleOutcome } from '../../../contract/subject.test-kit.ts'
import type { ClaimedRun, SharedStore, Signal } from '../../../shared-store.ts'
import type { RunRef } from '../../../store.ts'
import type { NewWait, WakeResult } from '../../../waits.ts'
import { openTwo } from '../../shared-stores.test-kit.ts'

const postgres = sharedPostgres()

const FLOW = 'flow-a'
/** So many races are enough for each order to come about. */
const RACES = 24

const newWait = (): NewWait => {
  return { id: sampleId(), node: 'A', kind: 'call', createdAt: 1000, expiresAt: null, question: null }
}
const claimAll = ({ queue }: SharedStore) => queue.claim([{ flowId: FLOW, most: 1000, limit: null }])
const unclaimed = ({ seq, flowId }: RunRef): RunRef => ({ seq, flowId })
const wake = ({ runs }: SharedStore, run: RunRef, entry = '"woken"', early = false): Promise<WakeResult> =>
  runs.wake({
    run: unclaimed(run),
    node: 'A',
    at: 2000,
    entry,
    answer: null,
    ...(early && { early: true as const })
  })

async function claimed(store: SharedStore, count: number): Promise<ClaimedRun[]> {
  await acceptMany(store, count)
  return claimAll(store)
}

async function waiting(store: SharedStore, count: number): Promise<ClaimedRun[]> {
  const runs = await claimed(store, count)
  await Promise.all(runs.map((run) => store.runs.openWait(run, '"waiting"', newWait())))
  return runs
}

/** Which of them is sent first changes, so that each order comes about. */
function race<A, B>(place: number, first: () => Promise<A>, second: () => Promise<B>): Promise<[A, B]> {
  return place % 2 === 0
    ? Promise.all([first(), second()])
    : Promise.all([second(), first()]).then(([two, one]) => [one, two])
}

const seqs = (runs: readonly RunRef[]) => runs.map(({ seq }) => seq).toSorted((x, y) => x - y)

test('of two processes that wake the same wait one wins', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  const runs = await waiting(a, RACES)
  await Promise.all(runs.map((run) => a.runs.park(run, '"parked"', null, ['A'])))
  for (const [place, run] of runs.entries()) {
    const results = await race(
      place,
      () => wake(a, run, '"by a"'),
      () => wake(b, run, '"by b"')
    )
    const winner = results[0].won ? '"by a"' : '"by b"'
    assert.deepEqual(
      results.filter(({ won }) => !won),
      [{ won: false, because: 'woken' }]
    )
    assert.deepEqual((await b.runs.get(run.id))?.journal, ['"waiting"', '"parked"', winner])
  }
  const taken = await claimAll(b)
  assert.deepEqual(seqs(taken), seqs(runs))
  assert.ok(taken.every(({ wasParked }) => wasParked))
})

test('a run that is parked while its wait is woken, or before it has begun to wait, is due', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  const parked = await waiting(a, RACES)
  const early = await claimed(a, RACES)
  await Promise.all([
    ...parked.map((run, place) =>
      race(
        place,
        () => a.runs.park(run, '"parked"', null, ['A']),
        () => wake(b, run)
      )
    ),
    ...early.map(async (run, place) => {
      const opened = async () => {
        await a.runs.openWait(run, '"waiting"', newWait())
        await a.runs.park(run, '"parked"', null, ['A'])
      }
      await race(place, opened, async () => assert.ok((await wake(b, run, '"woken"', true)).won))
    })
  ])
  const taken = await claimAll(b)
  assert.deepEqual(seqs(taken), seqs([...parked, ...early]))
  assert.ok(taken.every(({ journal }) => journal.includes('"woken"') && journal.length === 3))
})

test('who parks a run waits for who is just waking it, and the other way round', async (t) => {
  const { a, b, begin, untilBlocked } = await openTwo(t, postgres)
  const [first, second] = await waiting(a, 2)
  const waking = await begin(`UPDATE millrace.waits SET state = 'woken' WHERE run_seq = ${first!.seq}`)
  const parking = a.runs.park(first!, '"parked"', null, ['A'])
  await untilBlocked(parking)
  await waking.commit()
  await parking
  const parked = await begin(
    `SELECT 1 FROM millrace.waits WHERE run_seq = ${second!.seq} FOR SHARE`,
    `UPDATE millrace_queue.job SET state = 'retry', data = '{"due_at":1}', blocked = true, start_after = 'infinity'
     WHERE state = 'active'`
  )
  const woken = wake(b, second!)
  await untilBlocked(woken)
  await parked.commit()
  assert.ok((await woken).won)
  assert.deepEqual(seqs(await claimAll(b)), seqs([first!, second!]))
})

test('a wait that is woken when its time has come is one or the other', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  for (const [place, run] of (await waiting(a, RACES)).entries()) {
    const [standing, woken] = await race(
      place,
      () => a.runs.closeWait(run, 'A', 3000),
      () => wake(b, run)
    )
    if (woken.won) assert.deepEqual(standing, { state: 'woken', entry: '"woken"' })
    else assert.deepEqual([standing, woken], [{ state: 'over' }, { won: false, because: 'over' }])
  }
})

test('a run that ends while its wait is woken, opened or parked has no open wait left', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  const cancel = (run: RunRef) => b.runs.end(unclaimed(run), sampleOutcome({ status: 'cancelled' }))
  const [woken, parked, opened] = [await waiting(a, RACES), await waiting(a, RACES), await claimed(a, RACES)]
  await Promise.all([
    ...woken.map((run, place) =>
      race(
        place,
        () => wake(a, run),
        () => cancel(run)
      )
    ),
    ...parked.map((run, place) =>
      race(
        place,
        () => a.runs.park(run, '"parked"', null, ['A']),
        () => cancel(run)
      )
    ),
    ...opened.map((run, place) =>
      race(
        place,
        () => a.runs.openWait(run, '"waiting"', newWait()),
        () => cancel(run)
      )
    )
  ])
  assert.equal((await b.runs.list({ limit: 1, status: 'open' })).runs.length, 0)
  assert.deepEqual(await b.runs.listWaits({ kind: 'call', state: 'open', limit: 10 }), [])
})

test('who has lost the claim opens no wait, and keeps nobody else from it', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  const [lost, kept] = await claimed(a, 2)
  await a.queue.giveBack([lost!])
  await claimAll(b)
  const opened = [lost!, kept!].map((run) => a.runs.openWait(run, '"waiting"', newWait()))
  const [none, some] = await Promise.all(opened)
  assert.equal(none, null)
  assert.ok(some! > 0)
  assert.deepEqual(
    (await b.runs.listWaits({ kind: 'call', limit: 10 })).map(({ runSeq }) => runSeq),
    [kept!.seq]
  )
})

test('what came before the run had come to its wait is there when the run is opened again', async (t) => {
  const { a } = await openTwo(t, postgres)
  const [run] = await claimed(a, 1)
  await wake(a, run!, '"early"', true)
  await a.runs.end(run!, sampleOutcome({ status: 'failed' }))
  await a.runs.reopen(unclaimed(run!), '"again"')
  const [again] = await claimAll(a)
  assert.deepEqual(again!.journal, ['"again"'])
  await a.runs.openWait(again!, '"waiting"', newWait())
  assert.deepEqual(await a.runs.closeWait(again!, 'A', 3000), { state: 'woken', entry: '"early"' })
})

test('who executes runs is told at once that one is due, in this process and in others', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  const [woken, late] = await waiting(a, 2)
  await a.runs.park(woken!, '"parked"', null, ['A'])
  await wake(a, late!)
  const [here, there] = [a, b].map(
    ({ signals }) =>
      new Promise<Signal>((resolve) => signals.listen((signal) => signal.work && resolve(signal)))
  )
  await wake(a, woken!)
  assert.deepEqual((await here)!.work, [FLOW])
  assert.deepEqual((await there)!.work, [FLOW])
  const again = new Promise<Signal>((resolve) => b.signals.listen((signal) => signal.work && resolve(signal)))
  await a.runs.park(late!, '"parked"', null, ['A'])
  assert.deepEqual((await again).work, [FLOW])
  assert.deepEqual(seqs(await claimAll(b)), seqs([woken!, late!]))
})

test('runs that no time wakes are passed over by who looks for work, and are not held', async (t) => {
  const { a } = await openTwo(t, postgres)
  const [run] = await waiting(a, 1)
  await a.runs.park(run!, '"parked"', null, ['A'])
  assert.deepEqual(
    [await a.queue.flowsWithWork(), [...(await a.runs.countPaused([FLOW]))], [...(await a.runs.backlog())]],
    [[], [], []]
  )
  await a.flows.create(sampleFlow({ id: FLOW }))
  await a.flows.setPaused(FLOW, { mode: 'hold', since: 1, by: 'Ann' }, 5000)
  await a.flows.setPaused(FLOW, null, 5000)
  assert.deepEqual(await a.queue.flowsWithWork(), [])
  await a.runs.park(unclaimed(run!), '"anew"', Date.now() - 1000)
  assert.deepEqual(await a.queue.flowsWithWork(), [FLOW])
})
