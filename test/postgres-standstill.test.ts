import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { systemClock } from '../src/clock.ts'
import { problemOf } from './support/api-client.ts'
import { cleanUp } from './support/clean-up.ts'
import { anythingFlow } from './support/documents.ts'
import { eventually } from './support/eventually.ts'
import { sharedPostgres } from './support/postgres.ts'
import { startService } from './support/service.ts'

const postgres = sharedPostgres()

test('readiness tells when runs wait and nobody can take one up, in workers and in web processes', async (t) => {
  const DATABASE_URL = await postgres.database()
  let shift = 0
  const clock = { ...systemClock(), stopwatch: () => performance.now() + shift }
  const worker = await startService(t, { clock, env: { DATABASE_URL } })
  const web = await startService(t, { env: { DATABASE_URL, MILLRACE_ROLE: 'web' } })
  const ready = async (service = worker) => (await service.get('/readyz', { key: null })).status
  const flow = await worker.createFlow(anythingFlow({ concurrency: 2 }))
  assert.deepEqual([await ready(), await ready(web)], [200, 200])

  const db = new Client(DATABASE_URL)
  await db.connect()
  cleanUp(t, () => db.end())
  await db.query('BEGIN')
  await db.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`flow/${flow.id}`])
  const id = await worker.start(flow.slug)
  // Not yet: others may just be about to take it up.
  await eventually(
    async () => (await worker.get(`/api/v1/runs/${id}`)).json<{ status: string }>().status,
    'queued'
  )
  assert.equal(await ready(), 200)
  shift += 11_000
  await eventually(ready, 503)
  problemOf(await worker.get('/readyz', { key: null }), 503, 'queue_stuck')
  await eventually(() => ready(web), 503)

  await db.query('COMMIT')
  assert.equal((await worker.waitForRun(id)).status, 'succeeded')
  assert.equal(await ready(), 200)
  await eventually(() => ready(web), 200)
})
