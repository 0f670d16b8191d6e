import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { cleanUp } from '../../../../test/support/clean-up.ts'
import { sharedPostgres } from '../../../../test/support/postgres.ts'
import { acceptMany } from '../../contract/subject.test-kit.ts'
import { Database } from '../database/database.ts'
import { runsAndOutcomes, summaryColumns } from '../runs/run-rows.ts'
import { openTwo } from '../shared-stores.test-kit.ts'
import { JobQueues } from './job-queues.ts'
import { queueOf } from './job-rows.ts'

const postgres = sharedPostgres()

test('the job of a run is found by queue and number at once, and not by reading the jobs of all flows', async (t) => {
  const { a, sql } = await openTwo(t, postgres)
  await acceptMany(a, 300)
  const plan = await sql<{ 'QUERY PLAN': string }>(`EXPLAIN SELECT ${summaryColumns} FROM ${runsAndOutcomes}`)
  const lookups = plan.map((line) => line['QUERY PLAN']).filter((line) => /to_hex\(r\.seq\)/.test(line))
  assert.equal(lookups.length, 1)
  assert.match(lookups[0]!, /Index Cond: \(\(name = .*flow_id.*AND \(id = /)
})

/** How pg-boss takes jobs of this flow. */
async function planOfFetch(t: TestContext, url: string, flowId: string): Promise<string> {
  const db = new Database({ url, connections: 2 })
  cleanUp(t, () => db.close())
  const { boss } = new JobQueues({ db, upkeep: false, onError: assert.fail })
  await boss.start()
  cleanUp(t, () => boss.stop({ graceful: false }))
  return db.transaction(async (query) => {
    let rows: { 'QUERY PLAN': string }[] = []
    const executeSql = async (text: string, values: unknown[] = []) => {
      rows = await query(`EXPLAIN ${text}`, values)
      return { rows: [] }
    }
    await boss.fetch(queueOf(flowId), { batchSize: 90, db: { executeSql } })
    return rows.map((line) => line['QUERY PLAN']).join('\n')
  }, 'writers')
}

test('the next jobs are taken in the order of the index, and not by sorting all that wait', async (t) => {
  const { a, url } = await openTwo(t, postgres)
  await acceptMany(a, 1_000)
  const plan = await planOfFetch(t, url, 'flow-a')
  assert.match(plan, /Index Scan using job_common_i11/)
  assert.doesNotMatch(plan, /Sort|Bitmap/)
})

test('jobs are looked up one by one also where all others are of a flow whose runs wait for long', async (t) => {
  const { a, url, sql } = await openTwo(t, postgres)
  await acceptMany(a, 3_000)
  await sql(
    `UPDATE millrace_queue.job SET state = 'retry', start_after = now() + interval '1 hour', data = '{}'`
  )
  await sql('ANALYZE millrace_queue.job_common')
  await acceptMany(a, 10, { flowId: 'flow-b' })
  assert.match(await planOfFetch(t, url, 'flow-b'), /Index Cond: .*\(id = next\.id\)/)
})
