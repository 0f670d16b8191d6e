import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedPostgres } from '../../../test/support/postgres.ts'
import { acceptMany } from '../contract/subject.test-kit.ts'
import type { ProcessFacts } from '../shared-store.ts'
import { openTwo } from './shared-stores.test-kit.ts'

const postgres = sharedPostgres()

function facts(id: string): ProcessFacts {
  return { id, role: 'worker', host: 'somewhere', pid: 7, version: '1.2.3' }
}

test('of all processes one is the leader, until it leaves or falls silent', async (t) => {
  const { a, b, sql } = await openTwo(t, postgres)
  const isLeader = async (store: typeof a, id: string) => (await store.processes.pulse(facts(id))).isLeader
  assert.deepEqual(
    [await isLeader(a, 'a'), await isLeader(b, 'b'), await isLeader(a, 'a')],
    [true, false, true]
  )
  await a.processes.leave('a')
  assert.deepEqual([await isLeader(b, 'b'), await isLeader(a, 'a')], [true, false])
  await sql("UPDATE millrace.keeping SET until = now() - interval '1 second'")
  assert.equal(await isLeader(a, 'a'), true)
})

test('processes are known, and forgotten when they have been silent for long', async (t) => {
  const { a, b, sql } = await openTwo(t, postgres)
  await a.processes.pulse(facts('a'))
  await b.processes.pulse(facts('b'))
  const known = async () =>
    (await sql<{ id: string }>('SELECT id FROM millrace.processes ORDER BY id')).map(({ id }) => id)
  assert.deepEqual(await known(), ['a', 'b'])
  const silent = async () => (await a.processes.pulse(facts('a'))).silent
  assert.equal(await silent(), 0)
  await sql("UPDATE millrace.processes SET seen_at = now() - interval '2 hours' WHERE id = 'b'")
  assert.equal(await silent(), 1)
  await a.processes.runMaintenance()
  assert.deepEqual(await known(), ['a'])
  await a.processes.leave('a')
  assert.deepEqual(await known(), [])
})

test('a pulse tells the backlog that was counted, the newest change and what was saved', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  const runs = await acceptMany(a, 5)
  await a.processes.runMaintenance()
  const pulse = await b.processes.pulse(facts('b'))
  assert.deepEqual([pulse.backlog, pulse.lastChange], [5, runs.at(-1)!.seq])
  await a.contexts.put([])
  assert.equal((await b.processes.pulse(facts('b'))).revisions.contexts, pulse.revisions.contexts + 1)
})

test('what is done in turn is done by one process at a time', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  let inside = 0
  const task = async () => {
    inside++
    await a.probe()
    assert.equal(inside, 1)
    inside--
    return 'done'
  }
  const done = await Promise.all([a, b, a, b].map((store) => store.processes.inTurn(task)))
  assert.deepEqual(done, ['done', 'done', 'done', 'done'])
})

test('a rate limit holds for all processes together, and fills with time', async (t) => {
  const { a, b, sql } = await openTwo(t, postgres)
  // Few per minute: a slow machine must not see the next one come before it is to.
  const take = async (store: typeof a, wanted: number) =>
    (await store.rates.take('flow-a', 4, wanted)).granted
  assert.equal(await take(a, 2), 2)
  assert.equal(await take(b, 1), 1)
  const rest = await Promise.all([take(a, 1), take(b, 1), take(a, 1)])
  assert.equal(
    rest.reduce((sum, n) => sum + n),
    1,
    `${rest} were granted of the last 1`
  )
  assert.equal((await b.rates.take('flow-b', 4, 1)).granted, 1)
  await sql("UPDATE millrace.rate_buckets SET filled_at = now() - interval '30 seconds', level = 0")
  const filled = await a.rates.take('flow-a', 4, 4)
  assert.equal(filled.granted, 2)
  assert.ok(filled.level >= 0 && filled.level < 1)
})

test('moments at which a connection may be used are given to one process or another, and none is kept up', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  // So far apart that a slow machine does not come to the next one meanwhile.
  const every = 60_000
  const near = (ms: number, places: number) =>
    assert.ok(Math.abs(ms - places * every) < every / 2, `${ms} ms instead of ${places * every}`)
  near(await a.paces.reserve('shop', every, 2), 0)
  near(await b.paces.reserve('shop', every, 1), 2)
  near(await a.paces.reserve('shop', every, 1), 3)
  near(await b.paces.reserve('other', every, 1), 0)
  assert.equal(await a.paces.reserve('quick', 0.01, 1), 0)
  assert.equal(await b.paces.reserve('quick', 0.01, 1), 0)
})
