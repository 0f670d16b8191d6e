import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clusterOn } from './support/cluster.ts'
import { deadlyFlow } from './support/documents.ts'
import { sharedPostgres } from './support/postgres.ts'

const postgres = sharedPostgres()

test('a step that kills processes of a cluster fails at the third death, and takes no other run with it', async (t) => {
  const cluster = clusterOn(t, await postgres.database(), ['deadly.ts'])
  const [web, first] = [await cluster.start('web'), await cluster.start('worker')]
  const flow = await web.client.createFlow(deadlyFlow())
  const id = await web.client.start(flow.slug, '{"deadly":true}')
  const workers = [first]
  for (let deaths = 1; deaths <= 3; deaths++) {
    const worker = workers.at(-1)!
    assert.equal((await worker.process.ended).signal, 'SIGKILL')
    workers.push(await cluster.start('worker'))
  }
  const run = await web.client.waitForRun(id)
  assert.equal(run.status, 'failed')
  assert.equal(run.error!.code, 'step_crashes_process')
  const other = await web.client.run(flow.slug, '{"deadly":false}')
  assert.equal(other.status, 'succeeded')
  assert.equal(workers.at(-1)!.process.child.exitCode, null)
})
