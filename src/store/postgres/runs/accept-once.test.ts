import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { cleanUp } from '../../../../test/support/clean-up.ts'
import { sharedPostgres } from '../../../../test/support/postgres.ts'
import { listedIds, sampleRun } from '../../contract/subject.test-kit.ts'
import { openTwo, type TwoStores } from '../shared-stores.test-kit.ts'

const postgres = sharedPostgres()

const named = (key: string) => [{ key, body: null }]

test('of deliveries that come to two processes at once, each starts one run', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  const keys = Array.from({ length: 60 }, (_, place) => `delivery ${place}`)
  // In opposite order, so that each finds some of the other's.
  const both = await Promise.all([
    ...keys.map((key) => a.runs.acceptOnce(sampleRun(), named(key))),
    ...keys.toReversed().map((key) => b.runs.acceptOnce(sampleRun(), named(key)))
  ])
  const started = both.flatMap((one) => (one.verdict === 'accepted' ? [one.run.id] : []))
  assert.equal(started.length, keys.length)
  for (const one of both) assert.ok(one.verdict === 'accepted' || started.includes(one.runId))
  assert.deepEqual(new Set(await listedIds(b)), new Set(started))
})

for (const how of ['COMMIT', 'ROLLBACK'] as const) {
  test(`a delivery that another process is about to commit waits for its ${how}`, async (t) => {
    const two = await openTwo(t, postgres)
    const other = new Client({ connectionString: two.url })
    await other.connect()
    cleanUp(t, () => other.end())
    await other.query('BEGIN')
    await other.query(
      'INSERT INTO millrace.deliveries (key, run_id, body, accepted_at) VALUES ($1, $2, NULL, $3)',
      ['a', 'the run of the other', sampleRun().createdAt]
    )
    const run = sampleRun()
    const acceptance = two.a.runs.acceptOnce(run, named('a'))
    await untilSomebodyWaits(two)
    await other.query(how)
    const expected =
      how === 'COMMIT'
        ? { verdict: 'duplicate', runId: 'the run of the other' }
        : { verdict: 'accepted', run: { ...run, seq: 1 } }
    assert.deepEqual(await acceptance, expected)
  })
}

/** In this database: the server may have others. */
async function untilSomebodyWaits({ sql }: TwoStores): Promise<void> {
  for (;;) {
    const waiting = await sql(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
         AND query LIKE '%millrace.deliveries%'`
    )
    if (waiting.length > 0) return
  }
}
