import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { cleanUp } from '../../../../test/support/clean-up.ts'
import { sharedPostgres } from '../../../../test/support/postgres.ts'
import { acceptMany, sampleOutcome, sampleRun } from '../../contract/subject.test-kit.ts'
import type { Change, Store } from '../../store.ts'
import type { Query } from '../database/database.ts'
import { openPostgresStore } from '../open-postgres-store.ts'
import { acceptRuns } from './accept-runs.ts'

const postgres = sharedPostgres()

async function openFor(t: Parameters<typeof cleanUp>[0], url: string): Promise<Store> {
  const store = await openPostgresStore({ processId: 'test', url, connections: 4 })
  cleanUp(t, () => store.close())
  return store
}

/** Another process in the middle of accepting: its statement is done, its commit is not. */
async function unfinishedAccept(url: string) {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('BEGIN')
  const write: Query = async (statement, values = []) => {
    const text = typeof statement === 'string' ? statement : statement.text
    return (await client.query(text, [...values])).rows
  }
  const [run] = await acceptRuns({ write }, [sampleRun()])
  return {
    seq: Number(run!.seq),
    id: run!.id,
    async finish(how: 'COMMIT' | 'ROLLBACK') {
      await client.query(how)
      await client.end()
    }
  }
}

const numbers = (changes: readonly Change[]) => changes.map((change) => change.no)

for (const how of ['COMMIT', 'ROLLBACK'] as const) {
  test(`nobody reads past a writer that has drawn its number, until its ${how}`, async (t) => {
    const url = await postgres.database()
    const store = await openFor(t, url)
    const before = await store.runs.accept(sampleRun())
    const slow = await unfinishedAccept(url)
    const quick = await store.runs.accept(sampleRun())
    assert.ok(before.seq < slow.seq && slow.seq < quick.seq)
    assert.equal(await store.runs.lastChange(), before.seq)
    for (const flowIds of [['flow-a'], null]) {
      assert.deepEqual(numbers(await store.runs.changes(flowIds, 0, 10)), [before.seq])
      assert.deepEqual(numbers(await store.runs.changes(flowIds, before.seq, 10)), [])
    }
    await slow.finish(how)
    const expected = how === 'COMMIT' ? [slow.seq, quick.seq] : [quick.seq]
    assert.deepEqual(numbers(await store.runs.changes(['flow-a'], before.seq, 10)), expected)
    assert.equal(await store.runs.lastChange(), quick.seq)
  })
}

test('a writer does not wait for another one that has drawn its number', async (t) => {
  const url = await postgres.database()
  const [a, b] = [await openFor(t, url), await openFor(t, url)]
  await a.runs.accept(sampleRun())
  const slow = await unfinishedAccept(url)
  const runs = await Promise.all([acceptMany(a, 20), acceptMany(b, 20)])
  assert.equal(new Set(runs.flat().map((run) => run.seq)).size, 40)
  await slow.finish('ROLLBACK')
})

test('other databases of the same server hold nobody back', async (t) => {
  const [url, other] = [await postgres.database(), await postgres.database()]
  const store = await openFor(t, url)
  await (await openFor(t, other)).runs.accept(sampleRun())
  const slow = await unfinishedAccept(other)
  const run = await store.runs.accept(sampleRun())
  assert.equal(await store.runs.lastChange(), run.seq)
  await slow.finish('ROLLBACK')
})

test('who reads on from number to number while three processes write sees every change once', async (t) => {
  const url = await postgres.database()
  const writers = [await openFor(t, url), await openFor(t, url), await openFor(t, url)]
  const reader = await openFor(t, url)
  let isWriting = true
  const writing = Promise.all(
    writers.map(async (store) => {
      for (let round = 0; round < 25; round++) {
        const [first, ...rest] = await acceptMany(store, 4)
        await Promise.all([
          store.runs.checkpoint(first!, '"x"'),
          ...rest.map((run) => store.runs.end(run, sampleOutcome()))
        ])
      }
    })
  ).finally(() => {
    isWriting = false
  })
  const seen: number[] = []
  for (let isLast = false; ; ) {
    const page = await reader.runs.changes(null, seen.at(-1) ?? 0, 7)
    seen.push(...numbers(page))
    if (page.length > 0) continue
    if (isLast) break
    // One more look after the last write, from where the reader stood when it was made.
    if (!isWriting) isLast = true
  }
  await writing
  assert.equal(seen.length, 3 * 25 * (4 + 1 + 3))
  assert.deepEqual(
    seen,
    seen.toSorted((a, b) => a - b)
  )
})
