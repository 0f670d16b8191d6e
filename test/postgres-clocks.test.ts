import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { cleanUp } from './support/clean-up.ts'
import { clusterOn } from './support/cluster.ts'
import { sharedPostgres } from './support/postgres.ts'

const postgres = sharedPostgres()
const SPAN_MS = 1_000
/** What a process knows of the clock of the database may be off by the length of a question and its answer. */
const SLACK_MS = 250

/** A process whose machine has a clock that differs by so much from that of the database. */
function clockAt(ms: number): Record<string, string> {
  const script = `const own = Date.now; Date.now = () => own() + ${ms}`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` }
}

test('runs wait by the clock of the database, whatever those of the processes say', async (t) => {
  const url = await postgres.database()
  const cluster = clusterOn(t, url)
  const [{ client }] = await Promise.all([
    cluster.start('web', { MILLRACE_ROLE: 'all', ...clockAt(30_000) }),
    cluster.start('worker', clockAt(-30_000))
  ])
  const nodes = [
    { id: 'w', type: 'webhook' },
    { id: 'd', type: 'delay', fields: { for: `${SPAN_MS / 1000}s` } }
  ]
  const edges = [{ from: 'w.data', to: 'd.data' }]
  const flow = await client.createFlow({ name: 'Later', nodes, edges })
  const since = Date.now()
  const ids = await Promise.all(Array.from({ length: 10 }, () => client.start(flow.slug)))
  const runs = await Promise.all(ids.map((id) => client.waitForRun(id)))
  for (const { status, created_at, started_at, finished_at } of runs) {
    const [created, started, finished] = [created_at, started_at!, finished_at!].map((at) => Date.parse(at))
    assert.equal(status, 'succeeded')
    assert.ok(created! >= since - SLACK_MS && finished! <= Date.now() + SLACK_MS, 'times are the true ones')
    assert.ok(finished! - started! >= SPAN_MS - SLACK_MS, `it waited for ${finished! - started!} ms`)
  }
  const db = new Client(url)
  await db.connect()
  cleanUp(t, () => db.end())
  const { rows } = await db.query(
    'SELECT count(*)::integer AS entries FROM millrace.journal GROUP BY run_seq'
  )
  assert.deepEqual(
    rows.map(({ entries }) => entries),
    ids.map(() => 2),
    'that it waits, and that it is parked'
  )
})
