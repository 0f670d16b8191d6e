import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptMany } from '../src/store/contract/subject.test-kit.ts'
import { openPostgresStore } from '../src/store/postgres/open-postgres-store.ts'
import type { Store } from '../src/store/store.ts'
import { cleanUp } from './support/clean-up.ts'
import { clusterOn } from './support/cluster.ts'
import { anythingFlow } from './support/documents.ts'
import { sharedPostgres } from './support/postgres.ts'

const postgres = sharedPostgres()

const FLOOD = 50_000
const SMALL_FLOWS = 10
const RUNS_EACH = 10

test('one flow with 50,000 waiting runs does not hold back ten small ones', async (t) => {
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
  for (const id of ids) assert.equal((await web.client.waitForRun(id)).status, 'succeeded')
  const left = (await store.runs.backlog()).get(flood.id) ?? 0
  assert.ok(left > FLOOD / 2, `only ${left} of ${FLOOD} were left when the last small run had ended`)
})

/** Before that, the small ones would be served first because nobody else is there. */
async function floodHasBegun(store: Store, flowId: string): Promise<void> {
  while (((await store.runs.backlog()).get(flowId) ?? 0) > FLOOD - 500) {
    await new Promise((resolve) => setImmediate(resolve))
  }
}
