import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedPostgres } from '../../../../test/support/postgres.ts'
import { acceptMany, sampleOutcome } from '../../contract/subject.test-kit.ts'
import type { SharedStore } from '../../shared-store.ts'
import type { RunToEnd } from '../../store.ts'
import { openTwo, silence } from '../shared-stores.test-kit.ts'

const postgres = sharedPostgres()

const CANCELLED = sampleOutcome({ status: 'cancelled' })
const claim = ({ queue }: SharedStore) => queue.claim([{ flowId: 'flow-a', most: 9, limit: null }])
const seqs = (runs: readonly { seq: number }[]) => runs.map((run) => run.seq)
const read = async ({ runs }: SharedStore, { id }: { id: string }): Promise<RunToEnd> =>
  (await runs.readToEnd(id)) ?? assert.fail('it is gone')

test('whoever holds a run that somebody wants cancelled hears it by a heartbeat', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  const [run, other] = await acceptMany(a, 2)
  assert.equal(await b.queue.wantCancel({ ...run!, claim: 'nobody’s' }), false)
  const claimed = await claim(a)
  const { claimedUnder, isCancelWanted } = await read(b, run!)
  assert.deepEqual([claimedUnder, isCancelWanted], [claimed[0]!.claim, false])
  assert.equal(await b.queue.wantCancel({ ...run!, claim: claimedUnder! }), true)
  for (let beat = 0; beat < 2; beat++) {
    const told = await a.queue.heartbeat(claimed)
    assert.deepEqual([seqs(told.lost), seqs(told.cancelled)], [[], [run!.seq]])
  }
  assert.deepEqual(
    [(await read(b, run!)).isCancelWanted, (await read(b, other!)).isCancelWanted],
    [true, false]
  )
})

test('so does who takes it up after them, given back, parked or left by the dead', async (t) => {
  const two = await openTwo(t, postgres)
  const { a, b } = two
  const [run] = await acceptMany(a, 1)
  const [first] = await claim(a)
  assert.equal(first!.isToCancel, undefined)
  await b.queue.wantCancel(first!)
  await a.queue.giveBack([first!])
  const [second] = await claim(b)
  await silence(two)
  await a.queue.reclaimAbandoned(Date.now())
  const [third] = await claim(a)
  // Nothing wakes it, and it is taken up all the same.
  await a.runs.park(third!, '"waits"', null)
  const [fourth] = await claim(b)
  assert.deepEqual(
    [second, third, fourth].map((each) => each?.isToCancel),
    [true, true, true]
  )
  await b.runs.end(fourth!, CANCELLED)
  await b.runs.reopen(run!, '"again"')
  const [again] = await claim(a)
  assert.equal(again!.isToCancel, undefined, 'that was wanted of a life that is over')
  assert.deepEqual(await a.queue.heartbeat([again!]), { lost: [], cancelled: [] })
})

test('a run that somebody has taken up since it was read is not ended past them', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  const [run] = await acceptMany(a, 1)
  const waiting = await read(b, run!)
  const [first] = await claim(a)
  assert.equal(await b.runs.endAsRead(waiting, CANCELLED), null)
  const taken = await read(b, run!)
  await a.queue.giveBack([first!])
  await claim(a)
  assert.equal(await b.runs.endAsRead(taken, CANCELLED), null)
  assert.ok((await b.runs.endAsRead(await read(b, run!), CANCELLED))! > 0)
})

test('what is being written while a run is ended past its holder is not lost', async (t) => {
  const { a, b, begin, untilBlocked } = await openTwo(t, postgres)
  await acceptMany(a, 1)
  const [claimed] = await claim(a)
  const before = await read(b, claimed!)
  const checkpoint = await begin(
    'UPDATE millrace_queue.job SET heartbeat_on = now()',
    `INSERT INTO millrace.journal (no, run_seq, flow_id, entry) VALUES (1000000, ${claimed!.seq}, 'flow-a', '"paid"')`
  )
  const ending = b.runs.endAsRead(before, CANCELLED)
  await untilBlocked(ending)
  await checkpoint.commit()
  assert.equal(await ending, null)
  const after = await read(b, claimed!)
  assert.deepEqual([after.outcome, after.journal], [null, ['"paid"']])
  assert.ok((await b.runs.endAsRead(after, CANCELLED))! > 0)
})
