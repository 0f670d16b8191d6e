import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedPostgres } from '../../../../test/support/postgres.ts'
import {
  acceptAndEnd,
  acceptMany,
  listedIds,
  sampleOutcome,
  sampleRun
} from '../../contract/subject.test-kit.ts'
import type { ClaimWish } from '../../shared-store.ts'
import { openTwo } from '../shared-stores.test-kit.ts'

const postgres = sharedPostgres()

const wish = (most: number, more: Partial<ClaimWish> = {}): ClaimWish[] => [
  { flowId: 'flow-a', most, limit: null, ...more }
]
/** What a heartbeat tells when nothing has happened. */
const seqs = (runs: readonly { seq: number }[]) => runs.map((run) => run.seq)

test('runs are taken up oldest first, with all that belongs to them', async (t) => {
  const { a } = await openTwo(t, postgres)
  const [first, second, third] = await acceptMany(a, 3)
  await a.runs.checkpoint(second!, '"begun"')
  const claimed = await a.queue.claim(wish(2))
  assert.deepEqual(seqs(claimed), [first!.seq, second!.seq])
  const { claim, isClaimed, deaths, wasParked, takenAt, ...rest } = claimed[1]!
  assert.ok(claim.length > 0 && isClaimed)
  assert.deepEqual([deaths, wasParked], [0, false])
  assert.deepEqual(rest, { ...second, outcome: null, journal: ['"begun"'] })
  assert.deepEqual(seqs(await a.queue.claim(wish(9))), [third!.seq])
  assert.deepEqual(await a.queue.claim(wish(9)), [])
  assert.deepEqual(await a.queue.claim(wish(9, { flowId: 'never-met' })), [])
})

test('of many that take at the same time, each run goes to one', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  const runs = [...(await acceptMany(a, 60)), ...(await acceptMany(b, 60, { flowId: 'flow-b' }))]
  const both: ClaimWish[] = ['flow-a', 'flow-b'].map((flowId) => ({ flowId, most: 7, limit: null }))
  const taken: number[] = []
  for (let round = 0; round < 6; round++) {
    const claims = await Promise.all([a, b].flatMap(({ queue }) => [queue.claim(both), queue.claim(both)]))
    taken.push(...claims.flat().map((run) => run.seq))
  }
  assert.deepEqual(
    taken.toSorted((x, y) => x - y),
    seqs(runs).toSorted((x, y) => x - y)
  )
})

test('flows with work are those with a run that can be taken up', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  assert.deepEqual(await a.queue.flowsWithWork(), [])
  for (const flowId of ['waiting', 'parked', 'due', 'taken', 'ended']) {
    const run = await a.runs.accept(sampleRun({ flowId }))
    if (flowId === 'parked') await a.runs.park(run, '"wait"', Date.now() + 3_600_000)
    if (flowId === 'due') await a.runs.park(run, '"wait"', Date.now() - 1000)
    if (flowId === 'taken') await a.queue.claim(wish(1, { flowId }))
    if (flowId === 'ended') await a.runs.end(run, sampleOutcome())
  }
  assert.deepEqual((await b.queue.flowsWithWork()).toSorted(), ['due', 'waiting'])
  assert.equal((await b.queue.claim(wish(5, { flowId: 'parked' }))).length, 0)
  assert.deepEqual((await b.queue.claim(wish(5, { flowId: 'due' })))[0]?.journal, ['"wait"'])
})

test('who holds the claim writes, and a run that was taken up is told apart', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  const [waiting] = await acceptMany(a, 2)
  const [mine] = await a.queue.claim(wish(1))
  assert.ok((await b.runs.get(mine!.id))?.isClaimed)
  const listed = await b.runs.list({ limit: 5, status: 'open' })
  assert.deepEqual(
    listed.runs.map((run) => run.isClaimed),
    [undefined, true]
  )
  assert.equal(waiting!.seq, mine!.seq)
  assert.ok((await a.runs.checkpoint(mine!, '"one"'))! > 0)
  assert.ok((await a.runs.end(mine!, sampleOutcome()))! > 0)
  assert.equal((await b.runs.get(mine!.id))?.isClaimed, undefined)
})

test('a parked run counts again from when it is taken up, also when it is given back', async (t) => {
  const { a } = await openTwo(t, postgres)
  const [run] = await acceptMany(a, 1)
  const counted = async () => {
    await a.processes.runMaintenance()
    const facts = { id: 'p', role: 'all', host: 'h', pid: 1, version: '1' }
    return [(await a.processes.pulse(facts)).backlog, (await a.runs.backlog()).get(run!.flowId) ?? 0]
  }
  assert.deepEqual(await counted(), [1, 1])
  await a.runs.park(run!, '"wait"', Date.now() - 1)
  assert.deepEqual(await counted(), [0, 0])
  const taken = await a.queue.claim(wish(1))
  assert.equal(taken[0]?.wasParked, true)
  assert.deepEqual(await counted(), [1, 1])
  await a.queue.giveBack(taken)
  assert.deepEqual(await counted(), [1, 1])
  assert.equal((await a.queue.claim(wish(1)))[0]?.wasParked, false)
})

test('a run that is given back takes along what was saved of it before, however slow that is', async (t) => {
  const { a, b, begin, untilBlocked } = await openTwo(t, postgres)
  await acceptMany(a, 2)
  const claimed = await a.queue.claim(wish(2))
  const somebody = await begin('LOCK TABLE millrace.journal IN SHARE MODE')
  const saved = a.runs.checkpoint(claimed[0]!, '"paid"')
  await untilBlocked(saved)
  const givenBack = a.queue.giveBack(claimed)
  // It would overtake it with the first of them, if it were not in line behind it.
  for (let asked = 0; asked < 20; asked++) await a.runs.get(claimed[1]!.id)
  await somebody.commit()
  assert.ok((await saved)! > 0)
  await givenBack
  const again = await b.queue.claim(wish(2))
  assert.deepEqual(
    again.map(({ journal }) => journal),
    [['"paid"'], []]
  )
})

test('a parked run is nobody’s until it is due', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  await acceptMany(a, 1)
  const [mine] = await a.queue.claim(wish(1))
  await a.runs.park(mine!, '"wait"', Date.now() - 1)
  assert.equal(await a.runs.checkpoint(mine!, '"late"'), null)
  const [theirs] = await b.queue.claim(wish(1))
  assert.deepEqual(theirs?.journal, ['"wait"'])
  assert.notEqual(theirs?.claim, mine!.claim)
})

test('a claim from before a run was opened again holds no longer', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  await acceptMany(a, 1)
  const [first] = await a.queue.claim(wish(1))
  const { claim: _, ...unclaimed } = first!
  await b.runs.end(unclaimed, sampleOutcome({ status: 'cancelled' }))
  await b.runs.reopen(unclaimed, '"again"')
  const [second] = await b.queue.claim(wish(1))
  assert.equal(second!.seq, first!.seq)
  assert.equal(await a.runs.end(first!, sampleOutcome()), null)
  assert.ok((await b.runs.end(second!, sampleOutcome()))! > 0)
})

test('an end that is tried again after its answer was lost is known to be done', async (t) => {
  const { a } = await openTwo(t, postgres)
  await acceptMany(a, 2)
  const [first, second] = await a.queue.claim(wish(2))
  const no = await a.runs.end(first!, sampleOutcome())
  const numbers = await Promise.all([first!, second!].map((run) => a.runs.end(run, sampleOutcome())))
  assert.equal(numbers[0], no)
  assert.ok(numbers[1]! > no!)
  const { claim: _, ...unclaimed } = first!
  assert.equal(await a.runs.end(unclaimed, sampleOutcome()), null)
})

test('what is given back can be taken up at once, by anybody', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  await acceptMany(a, 2)
  const claimed = await a.queue.claim(wish(2))
  await a.runs.checkpoint(claimed[0]!, '"begun"')
  await a.queue.giveBack(claimed)
  const taken = await b.queue.claim(wish(2))
  assert.deepEqual(seqs(taken), seqs(claimed))
  assert.deepEqual(taken[0]!.journal, ['"begun"'])
  assert.equal(await a.runs.end(claimed[0]!, sampleOutcome()), null)
  assert.deepEqual((await listedIds(a, { status: 'open' })).length, 2)
})

test('a limit holds for all processes together, however they race', async (t) => {
  const { a, b, sql } = await openTwo(t, postgres)
  const runs = await acceptMany(a, 30)
  const limited = wish(10, { limit: 3 })
  let ended = 0
  for (let round = 0; ended < runs.length; round++) {
    assert.ok(round < 100, 'the limited flow stands still')
    const claims = await Promise.all([a, b, a, b].map((store) => store.queue.claim(limited)))
    const [active] = await sql<{ count: string }>(
      "SELECT count(*) FROM millrace_queue.job WHERE state = 'active'"
    )
    assert.ok(Number(active!.count) <= 3, `${active!.count} runs at the same time`)
    const taken = claims.flat()
    ended += taken.length
    await Promise.all(taken.map((run) => a.runs.end(run, sampleOutcome())))
  }
})

test('how runs ended is told for those that have', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  const failed = await acceptAndEnd(a, {}, { status: 'failed' })
  const open = await a.runs.accept(sampleRun())
  assert.deepEqual(await b.queue.endsOf([failed.id, open.id, 'nobody']), new Map([[failed.id, 'failed']]))
})

test('runs are taken up before anything of them is read, and then nobody is held up', async (t) => {
  const { a, begin, sql, untilBlocked } = await openTwo(t, postgres)
  const [run] = await acceptMany(a, 1)
  for (const limit of [null, 2]) {
    const other = await begin('LOCK TABLE millrace.runs IN ACCESS EXCLUSIVE MODE')
    const claiming = a.queue.claim(wish(1, { limit }))
    await untilBlocked(claiming)
    const jobs = await sql('SELECT state FROM millrace_queue.job FOR UPDATE NOWAIT')
    assert.deepEqual(jobs, [{ state: 'active' }])
    await other.commit()
    const claimed = await claiming
    assert.deepEqual(seqs(claimed), [run!.seq])
    await a.queue.giveBack(claimed)
  }
})
