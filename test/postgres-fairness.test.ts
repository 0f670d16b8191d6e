import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { acceptMany } from '../src/store/contract/subject.test-kit.ts'
import { openPostgresStore } from '../src/store/postgres/open-postgres-store.ts'
import type { Store } from '../src/store/store.ts'
import type { RunBody } from './support/api-client.ts'
import { cleanUp } from './support/clean-up.ts'
import { clusterOn } from './support/cluster.ts'
import { anythingFlow } from './support/documents.ts'
import { eventually } from './support/eventually.ts'
import { sharedPostgres } from './support/postgres.ts'

const postgres = sharedPostgres()

const FLOOD = 20_000
const SMALL_FLOWS = 10
const RUNS_EACH = 10

test('one flow with 20,000 waiting runs does not hold back ten small ones', async (t) => {
  const url = await postgres.database()
  const cluster = clusterOn(t, url)
  const web = await cluster.start('web')
  const flood = await web.client.createFlow({ ...anythingFlow(), name: 'Flood' })
  const small = await Promise.all(
    Array.from({ length: SMALL_FLOWS }, (_, n) =>
      web.client.createFlow({ ...anythingFlow(), name: `Small ${n}` })
    )
  )
  const store = await openPostgresStore({ url, processId: 'flood', mayBeFirst: false })
  cleanUp(t, () => store.close())
  for (let left = FLOOD; left > 0; left -= 5_000) await acceptMany(store, 5_000, { flowId: flood.id })
  await cluster.start('worker')
  await floodHasBegun(store, flood.id)
  const ids = await Promise.all(
    small.flatMap(({ slug }) => Array.from({ length: RUNS_EACH }, () => web.client.start(slug)))
  )
  const runs: RunBody[] = []
  for (const id of ids) runs.push(await web.client.waitForRun(id))
  for (const { status } of runs) assert.equal(status, 'succeeded')
  const ahead = await endedBetween(url, flood.id, {
    since: Math.max(...runs.map(({ created_at }) => Date.parse(created_at))),
    until: Math.max(...runs.map(({ finished_at }) => Date.parse(finished_at!)))
  })
  assert.ok(ahead < FLOOD / 2, `${ahead} of ${FLOOD} ended while the small runs waited`)
})

/** By the times that are stored: how soon this process learns of them does not count. */
async function endedBetween(url: string, flowId: string, { since, until }: { since: number; until: number }) {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ count: string }>(
    'SELECT count(*) FROM millrace.outcomes WHERE flow_id = $1 AND finished_at BETWEEN $2 AND $3',
    [flowId, since, until]
  )
  await client.end()
  return Number(rows[0]!.count)
}

/** Before that, the small ones would be served first because nobody else is there. */
async function floodHasBegun(store: Store, flowId: string): Promise<void> {
  const left = async () => (await store.runs.backlog()).get(flowId) ?? 0
  await eventually(left, (runs) => runs <= FLOOD - 500)
}
