import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp } from '../../../test/support/clean-up.ts'
import { sharedPostgres } from '../../../test/support/postgres.ts'
import { sampleOutcome, sampleRun } from '../contract/subject.test-kit.ts'
import { Database, type Query } from './database/database.ts'
import { insertJobs, TIER } from './queue/job-rows.ts'
import { sqlPark } from './queue/job-states.ts'
import { listRuns } from './runs/list-runs.ts'
import { backlog } from './runs/open-runs.ts'
import { openTwo } from './shared-stores.test-kit.ts'

const postgres = sharedPostgres()

/** So many runs wait for a day far away, and as many have waited and ended. */
const MANY = 3_000

async function openWithMany(t: Parameters<typeof openTwo>[0]) {
  const { a, sql, url } = await openTwo(t, postgres)
  const first = await a.runs.accept(sampleRun())
  await a.runs.end(first, sampleOutcome())
  const seqs = `generate_series(1000, ${1000 + 2 * MANY - 1}) AS seq`
  await sql(
    `INSERT INTO millrace.runs (seq, id, flow_id, flow_version, trigger, session, created_at, input)
     SELECT seq, 'run-' || seq, 'flow-a', 1, 'webhook', 's', 1, '{}' FROM ${seqs}`
  )
  await sql(
    `INSERT INTO millrace.waits (run_seq, node, flow_id, id, kind, state, created_at)
     SELECT seq, 'delay-1', 'flow-a', 'wait-' || seq, 'time', CASE seq % 2 WHEN 0 THEN 'open' ELSE 'over' END, 1 FROM ${seqs}`
  )
  await sql(
    `INSERT INTO millrace.outcomes (seq, no, flow_id, status, started_at, finished_at, nodes, steps)
     SELECT seq, 100000 + seq, 'flow-a', 'succeeded', 1, 1, '[]', '[]' FROM ${seqs} WHERE seq % 2 = 1`
  )
  await sql(
    insertJobs(`(SELECT seq, 'flow-a' AS flow_id FROM ${seqs} WHERE seq % 2 = 0) s`, {
      tier: `'${TIER.tied}'`
    })
  )
  await sql(`UPDATE millrace_queue.job SET state = 'retry', ${sqlPark('4000000000000::bigint', 'false')}`)
  await sql('ANALYZE')
  const db = new Database({ url, connections: 2 })
  cleanUp(t, () => db.close())
  const plans: string[] = []
  /** Asks, and keeps what PostgreSQL says that it did for it. */
  const query: Query = async (statement, values) => {
    const text = typeof statement === 'string' ? statement : statement.text
    const plan = await db.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, TIMING OFF) ${text}`, values)
    plans.push(plan.map((row) => row['QUERY PLAN']).join('\n'))
    return db.query(statement, values)
  }
  return { query, plans }
}

/** Rows that were read and were not what was looked for. */
function rowsReadInVain(plan: string): number {
  return [...plan.matchAll(/Rows Removed by Filter: (\d+)/g)].reduce((sum, [, rows]) => sum + Number(rows), 0)
}

test('however many runs wait, a page of them and the backlog are found without reading all', async (t) => {
  const { query, plans } = await openWithMany(t)
  const { runs, next } = await listRuns(query, { status: 'waiting', limit: 2, flowIds: ['flow-a'] })
  assert.deepEqual(
    runs.map(({ seq }) => seq),
    [1000 + 2 * MANY - 2, 1000 + 2 * MANY - 4]
  )
  assert.equal(next, 1000 + 2 * MANY - 4)
  assert.match(plans[0]!, /using waits_open/)
  assert.deepEqual(await backlog(query), new Map())
  for (const plan of plans) assert.ok(rowsReadInVain(plan) < MANY / 2, plan)
})
