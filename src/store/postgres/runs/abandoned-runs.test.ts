import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedPostgres } from '../../../../test/support/postgres.ts'
import { acceptMany, sampleOutcome } from '../../contract/subject.test-kit.ts'
import type { ClaimedRun, ClaimWish } from '../../shared-store.ts'
import { openTwo, silence } from '../shared-stores.test-kit.ts'

const postgres = sharedPostgres()

const wish = (most: number, more: Partial<ClaimWish> = {}): ClaimWish[] => [
  { flowId: 'flow-a', most, limit: null, ...more }
]
/** What a heartbeat tells when nothing has happened. */
const ALL_GO_ON = { lost: [], cancelled: [] }
const seqs = (runs: readonly { seq: number }[]) => runs.map((run) => run.seq)

test('a process that was taken for dead cannot write a second result', async (t) => {
  const two = await openTwo(t, postgres)
  const { a, b } = two
  await acceptMany(a, 3)
  const claimed = await a.queue.claim(wish(3))
  assert.deepEqual(await a.queue.heartbeat(claimed), ALL_GO_ON)
  assert.deepEqual(await b.queue.reclaimAbandoned(Date.now()), [])
  await silence(two)
  assert.deepEqual(
    await b.queue.reclaimAbandoned(Date.now() - 5_000),
    [],
    'the database stood still meanwhile'
  )
  assert.deepEqual(await b.queue.reclaimAbandoned(Date.now()), ['flow-a'])
  const [again] = await b.queue.claim(wish(1))
  const [late] = claimed as [ClaimedRun]
  assert.equal(again!.seq, late.seq)
  assert.equal(await a.runs.end(late, sampleOutcome({ steps: '["late"]' })), null)
  assert.equal(await a.runs.checkpoint(late, '"late"'), null)
  assert.equal(await a.runs.park(late, '"late"', 1), null)
  assert.deepEqual(seqs((await a.queue.heartbeat(claimed)).lost), seqs(claimed))
  await a.queue.giveBack(claimed)
  assert.deepEqual(await b.queue.heartbeat([again!]), ALL_GO_ON)
  assert.ok((await b.runs.end(again!, sampleOutcome({ steps: '["right"]' })))! > 0)
  assert.equal((await a.runs.get(late.id))?.outcome?.steps, '["right"]')
})

test('what goes on is written once in half a minute, and lives as long as who holds it', async (t) => {
  const two = await openTwo(t, postgres)
  const { a, b, sql } = two
  await acceptMany(a, 3)
  const [mine, more, theirs] = [
    ...(await a.queue.claim(wish(1))),
    ...(await a.queue.claim(wish(1))),
    ...(await b.queue.claim(wish(1)))
  ]
  const written = async () => {
    const rows = await sql<{ version: string }>('SELECT xmin AS version FROM millrace_queue.job ORDER BY id')
    return rows.map(({ version }) => version)
  }
  const silent = (process: string, seconds: number) =>
    sql("UPDATE millrace.holders SET beat_at = now() - $2 * interval '1s' WHERE process_id = $1", [
      process,
      seconds
    ])
  const claimed = await written()
  assert.deepEqual(await a.queue.heartbeat([mine!, more!]), ALL_GO_ON)
  assert.deepEqual(await b.queue.heartbeat([theirs!]), ALL_GO_ON)
  const first = await written()
  assert.ok(first.every((version, index) => version !== claimed[index]))
  assert.deepEqual(await a.queue.heartbeat([mine!, more!]), ALL_GO_ON)
  assert.ok((await a.runs.checkpoint(mine!, '"half way"'))! > 0)
  assert.deepEqual(await a.queue.heartbeat([mine!, more!]), ALL_GO_ON)
  assert.deepEqual((await written()).slice(1), first.slice(1))

  await silent('a', 9)
  assert.deepEqual(await b.queue.reclaimAbandoned(Date.now()), [])
  await silent('a', 11)
  assert.deepEqual(await b.queue.reclaimAbandoned(Date.now()), ['flow-a'])
  assert.deepEqual(await b.queue.heartbeat([theirs!]), ALL_GO_ON)
  assert.deepEqual(seqs((await a.queue.heartbeat([mine!, more!])).lost), seqs([mine!, more!]))
  const again = await b.queue.claim(wish(9))
  assert.deepEqual(seqs(again), seqs([mine!, more!]))
  // Nobody takes it from who has just taken it up, whoever had it before.
  await a.processes.leave('a')
  assert.deepEqual(await a.queue.reclaimAbandoned(Date.now()), [])
})

test('what a process holds and no longer speaks of is given back, though the process lives', async (t) => {
  const { a, b, sql } = await openTwo(t, postgres)
  await acceptMany(a, 2)
  const [kept, forgotten] = await a.queue.claim(wish(2))
  assert.deepEqual(await a.queue.heartbeat([kept!, forgotten!]), ALL_GO_ON)
  await sql("UPDATE millrace_queue.job SET heartbeat_on = heartbeat_on - interval '71s'")
  assert.deepEqual(await a.queue.heartbeat([kept!]), ALL_GO_ON)
  assert.deepEqual(await b.queue.reclaimAbandoned(Date.now()), ['flow-a'])
  assert.deepEqual(seqs(await b.queue.claim(wish(9))), [forgotten!.seq])
})

test('a run tells how many processes have died with it, and not who gave it back or parked it', async (t) => {
  const two = await openTwo(t, postgres)
  await acceptMany(two.a, 1)
  for (const { queue, runs } of [two.a, two.b]) {
    await queue.giveBack(await queue.claim(wish(1)))
    const [parked] = await queue.claim(wish(1))
    await runs.park(parked!, '"wait"', Date.now() - 1)
    await queue.claim(wish(1))
    await silence(two)
    await queue.reclaimAbandoned(Date.now())
  }
  const [run] = await two.a.queue.claim(wish(1))
  assert.equal(run!.deaths, 2)
  assert.ok((await two.a.runs.end(run!, sampleOutcome()))! > 0)
})
