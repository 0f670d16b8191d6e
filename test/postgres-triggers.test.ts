import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { cleanUp } from './support/clean-up.ts'
import { eventually } from './support/eventually.ts'
import { HEARD_FLOW, HeardTrigger } from './support/heard-trigger.ts'
import { createHost } from './support/host.ts'
import { sharedPostgres } from './support/postgres.ts'

const postgres = sharedPostgres()

test('of two processes one has the triggers at a time', async (t) => {
  const url = await postgres.database()
  const both = [new HeardTrigger(), new HeardTrigger()]
  const startedAtOnce: number[] = []
  for (const one of both)
    one.onStart = () => startedAtOnce.push(both[0]!.started.size + both[1]!.started.size)
  const hosts = await Promise.all(
    both.map((heard) => createHost(t, { plugins: [heard.plugin], database: { url, connections: 4 } }))
  )
  const [client] = await Promise.all(hosts.map((host) => host.listen()))
  await client!.createFlow(HEARD_FLOW)
  const owner = () => both.findIndex((heard) => heard.started.size === 1)
  const first = await eventually(owner, (at) => at >= 0)

  await t.test('the runs that it starts are performed by either', async () => {
    const run = await client!.waitForRun(await both[first]!.only.startRun({ title: 'Rain' }))
    assert.deepEqual([run.status, run.trigger], ['succeeded', 'heard'])
  })

  await t.test('who has lost them stops before it is started elsewhere, and starts no run', async () => {
    const { startRun } = both[first]!.only
    const db = new Client(url)
    await db.connect()
    cleanUp(t, () => db.end())
    await db.query(
      "UPDATE millrace.trigger_owner SET process_id = 'ghost', until = now() + interval '1 hour'"
    )
    await eventually(owner, -1)
    await assert.rejects(startRun({}), { code: 'trigger_stopped' })
    await db.query("UPDATE millrace.trigger_owner SET until = now() - interval '1s'")
    await eventually(owner, (at) => at >= 0)
  })

  await t.test('who stops hands them over', async () => {
    const last = owner()
    await hosts[last]!.close()
    assert.equal(both[last]!.started.size, 0)
    await eventually(owner, 1 - last)
  })

  assert.deepEqual(new Set(startedAtOnce), new Set([0]))
})
