import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedPostgres } from '../../../test/support/postgres.ts'
import { acceptMany } from '../contract/subject.test-kit.ts'
import { runsAndOutcomes, summaryColumns } from './run-rows.ts'
import { openTwo } from './shared-stores.test-kit.ts'

const postgres = sharedPostgres()

test('the job of a run is found by queue and number at once, and not by reading the jobs of all flows', async (t) => {
  const { a, sql } = await openTwo(t, postgres)
  await acceptMany(a, 300)
  const plan = await sql<{ 'QUERY PLAN': string }>(`EXPLAIN SELECT ${summaryColumns} FROM ${runsAndOutcomes}`)
  const lookups = plan.map((line) => line['QUERY PLAN']).filter((line) => /to_hex\(r\.seq\)/.test(line))
  assert.equal(lookups.length, 1)
  assert.match(lookups[0]!, /Index Cond: \(\(name = .*flow_id.*AND \(id = /)
})
