import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedPostgres } from '../../../../test/support/postgres.ts'
import { acceptMany } from '../../contract/subject.test-kit.ts'
import type { KeptChange } from '../../kept-values.ts'
import { SYSTEM_TIMING } from '../database/timing.ts'
import { openTwo } from '../shared-stores.test-kit.ts'

const postgres = sharedPostgres()
const increment = {
  kind: 'increment',
  context: '/shop',
  key: 'orders',
  at: 1,
  by: 1,
  expiresAt: null
} as const

test('increments of two processes are counted one by one, and each step once', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  const runs = await acceptMany(a, 20)
  const steps = runs.map(({ seq }) => ({ runSeq: seq, node: 'keep-1', change: 'first' }))
  // The same step in both processes: one of them was held to be dead.
  const results = await Promise.all(
    steps.flatMap((step) => [a, b, a].map(({ kept }) => kept.change(increment, step)))
  )
  const counts = results.map((result) => Number(result.won && result.value))
  const expected = steps.map((_, index) => index + 1)
  assert.deepEqual(
    counts.filter((_, place) => place % 3 === 0).toSorted((x, y) => x - y),
    expected
  )
  for (const place of expected.keys()) {
    assert.equal(new Set(counts.slice(place * 3, place * 3 + 3)).size, 1)
  }
  assert.equal((await b.kept.get('/shop', 'orders', 1))?.value, '20')
})

test('a value that goes while it is counted is counted anew', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  const removal = { kind: 'remove', context: '/shop', key: 'orders', at: 1 } as const
  for (let round = 0; round < 10; round++) {
    await a.kept.change({ ...increment, by: 5 })
    const [removed, counted] = await Promise.all([a.kept.change(removal), b.kept.change(increment)])
    const left = (await a.kept.get('/shop', 'orders', 1))?.value
    const isRemovedFirst = removed.won && removed.value === '5'
    assert.deepEqual(counted, { won: true, value: isRemovedFirst ? '1' : '6' })
    assert.equal(left, isRemovedFirst ? '1' : undefined)
    await a.kept.change(removal)
  }
})

test('who is held up in the middle of a change keeps nobody from the value', async (t) => {
  const { a, begin, sql, untilBlocked } = await openTwo(t, postgres)
  const [run] = await acceptMany(a, 1)
  await a.kept.change(increment)
  const other = await begin('LOCK TABLE millrace.kept_changes IN ACCESS EXCLUSIVE MODE')
  const changing = a.kept.change(increment, { runSeq: run!.seq, node: 'keep-1', change: 'first' })
  await untilBlocked(changing)
  assert.equal((await sql('SELECT FROM millrace.kept_values FOR UPDATE NOWAIT')).length, 1)
  await other.commit()
  assert.deepEqual(await changing, { won: true, value: '2' })
})

test('what is to be kept for a time is kept for so long from when it is stored', async (t) => {
  let passed = 0
  const timing = { ...SYSTEM_TIMING, stopwatch: () => passed }
  const { a, begin, sql, untilBlocked } = await openTwo(t, postgres, timing)
  const at = { context: '/shop', at: 1_000 }
  const set = { ...at, kind: 'set', key: 'set', value: '1', expiresAt: 1_500 } as const
  const counted = { ...at, kind: 'increment', by: 1, expiresAt: 1_500 } as const
  await a.kept.change(set)
  await a.kept.change({ ...counted, key: 'going on' })
  const expiryAfter = async (change: KeptChange, locks: string, passedHere: number) => {
    const other = await begin(`LOCK TABLE millrace.kept_values IN ${locks} MODE`)
    const changing = a.kept.change(change)
    passed += passedHere
    await untilBlocked(changing)
    await sql('SELECT pg_sleep(0.002)')
    await other.commit()
    await changing
    return (await a.kept.get('/shop', change.key, 0))!.expiresAt!
  }
  for (const [locks, passedHere] of [
    ['ACCESS EXCLUSIVE', 1_000],
    // The writing waits and not the reading: the last of a second passes in the database.
    ['SHARE', 999]
  ] as const) {
    for (const change of [set, { ...counted, key: `new, ${locks}` }])
      assert.ok((await expiryAfter(change, locks, passedHere)) >= 2_500, `${change.key}, ${locks}`)
    assert.equal(await expiryAfter({ ...counted, key: 'going on' }, locks, passedHere), 1_500)
    await a.kept.change(set)
    assert.equal((await a.kept.get('/shop', 'set', 0))!.expiresAt, 1_500)
  }
})
