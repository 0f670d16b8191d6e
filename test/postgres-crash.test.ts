import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { Client } from 'pg'
import type { ApiClient } from './support/api-client.ts'
import { cleanUp } from './support/clean-up.ts'
import { clusterOn, createAtBoth, type Member } from './support/cluster.ts'
import { callFlow, ORDER, ordersFlow } from './support/documents.ts'
import type { EventReader } from './support/event-reader.ts'
import { eventually } from './support/eventually.ts'
import { type Call, startOutside } from './support/outside.ts'
import { ownPostgres } from './support/postgres.ts'
import { refusesConnections } from './support/refuses-connections.ts'
import { startLoad } from './support/steady-load.ts'

const postgres = ownPostgres()
const body = JSON.stringify(ORDER)

describe('workers that share a database', () => {
  it('hand over what they have to each other', async (t) => {
    const url = await postgres.database()
    const cluster = clusterOn(t, url, ['call.ts'])
    const [web, leaving] = await Promise.all([cluster.start('web'), cluster.start('worker')])
    const outside = await startOutside(t)
    let staying: Member
    let last: Member

    await t.test('at once, where one that is stopped gives it back', async () => {
      const flow = await web.client.createFlow(callFlow(outside.url(), { webhook: { concurrency: 1 } }))
      const [first, second] = [await web.client.start(flow.slug, '1'), await web.client.start(flow.slug, '2')]
      const call = await outside.next()
      // There is no room for it to take up the second run yet. It is there before the other one begins to leave, which
      // waits for its step no longer than some seconds.
      staying = await cluster.start('worker')
      const ended = leaving.process.end('SIGTERM')
      await refusesConnections(leaving.client.address)
      call.answer({ kept: true })
      assert.deepEqual(await ended, { code: 0, signal: null })
      const next = await outside.next()
      assert.equal(next.body, '2')
      next.answer()
      const runs = [await web.client.waitForRun(first), await web.client.waitForRun(second)]
      assert.deepEqual(
        runs.map(({ status }) => status),
        ['succeeded', 'succeeded']
      )
      assert.deepEqual(runs[0]!.steps[1]!.outputs, { data: { kept: true } })
      assert.equal(outside.calls.length, 2, 'the step that ended is not run again')
      assert.doesNotMatch(leaving.process.stderr, /"level":(?:50|60)/)
    })

    await t.test('at the last checkpoint, where one was killed', async () => {
      const flow = await web.client.createFlow({
        name: 'Two calls',
        nodes: [
          { id: 'webhook-1', type: 'webhook' },
          { id: 'a', type: 'call', fields: { url: outside.url('/a') } },
          { id: 'b', type: 'call', fields: { url: outside.url('/b') } }
        ],
        edges: [
          { from: 'webhook-1.data', to: 'a.data' },
          { from: 'a.data', to: 'b.data' }
        ]
      })
      const before = outside.calls.length
      const ids = [await web.client.start(flow.slug), await web.client.start(flow.slug)]
      for (const call of [await outside.next(), await outside.next()]) call.answer({ from: 'a' })
      const held = [await outside.next(), await outside.next()]
      assert.deepEqual(paths(held), ['/b', '/b'])
      // There is nothing to take up for it yet.
      last = await cluster.start('worker')
      await staying.process.end('SIGKILL')
      const killedAt = performance.now()
      const again = [await outside.next(), await outside.next()]
      const seconds = (performance.now() - killedAt) / 1000
      assert.ok(seconds < 30, `the runs were taken up after ${seconds} s`)
      assert.deepEqual(paths(again), ['/b', '/b'], 'the step that ended is not repeated')
      assert.deepEqual(keys(again), keys(held))
      for (const call of again) call.answer({ from: 'b' })
      await assertAllSucceed(await fromTheBeginning(web.client, flow.id), ids)
      assert.equal(outside.calls.length - before, 6)
    })

    await t.test('whatever it holds, where one stands still in the middle of a transaction', async () => {
      const below = await web.client.createFlow(callFlow(outside.url('/below')))
      const nodes = [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'run', type: 'run-flow', fields: { flow: below.slug } }
      ]
      const edges = [{ from: 'webhook-1.data', to: 'run.data' }]
      const above = await web.client.createFlow({ name: 'Above', nodes, edges })
      const id = await web.client.start(above.slug)
      const call = await outside.next()
      const other = await lockJobs(t, url, `flow/${below.id}`)
      call.answer({ from: 'the first' })
      // The end of the run below has locked what counts it for the one above, and waits for its job.
      await eventually(() => other.isWaitedFor(), true)
      last.process.child.kill('SIGSTOP')
      const stoppedAt = performance.now()
      await other.letGo()
      const next = cluster.start('worker')
      const again = await outside.next()
      const seconds = (performance.now() - stoppedAt) / 1000
      assert.ok(seconds < 12, `the run was taken up after ${seconds} s`)
      assert.deepEqual(keys([again]), keys([call]))
      again.answer({ from: 'the second' })
      const calls = outside.calls.length
      assert.equal((await web.client.waitForRun(id)).status, 'succeeded')
      await next
      // What it still has in hand is refused, and it goes on with what comes.
      last.process.child.kill('SIGCONT')
      await eventually(async () => (await last.client.get('/readyz', { key: null })).status, 200)
      const more = await web.client.start(above.slug)
      ;(await outside.next()).answer()
      assert.equal((await web.client.waitForRun(more)).status, 'succeeded')
      assert.equal(outside.calls.length, calls + 1)
      assert.doesNotMatch(last.process.stderr, /"level":60/)
    })
  })
})

/** Somebody who has locked the jobs of a queue. */
async function lockJobs(t: TestContext, url: string, queue: string) {
  const db = new Client(url)
  await db.connect()
  cleanUp(t, () => db.end())
  await db.query('BEGIN')
  await db.query('SELECT FROM millrace_queue.job WHERE name = $1 FOR UPDATE', [queue])
  const blocked = 'SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))'
  return {
    isWaitedFor: async () => (await db.query(blocked)).rows.length > 0,
    letGo: () => db.query('COMMIT')
  }
}

describe('web processes that share a database', () => {
  it('lose nothing that they have accepted', async (t) => {
    const server = await postgres.server()
    const cluster = clusterOn(t, await postgres.database())
    const members = await Promise.all([cluster.start('web'), cluster.start('web'), cluster.start('worker')])
    const [one, two] = members
    const flow = await createAtBoth([one.client, two.client], ordersFlow())

    await t.test('while the database is away: they refuse with 503, and go on by themselves', async () => {
      const listener = await two.client.events(flow.id)
      const load = startLoad(t, { clients: [one.client, two.client], flow: flow.slug, body })
      for (const how of ['fast', 'crash'] as const) {
        await load.moreAccepted(50)
        await server.halt(how)
        await load.moreRefused(20)
        await server.start()
      }
      await load.moreAccepted(50)
      await load.stop()
      for (const { status, retryAfter } of load.refused) {
        assert.equal(status, 503)
        assert.ok(Number(retryAfter) > 0)
      }
      await assertAllSucceed(listener, load.accepted)
      for (const { client, process } of members) {
        assert.equal((await client.get('/readyz', { key: null })).status, 200)
        assert.equal(process.child.exitCode, null, process.stderr)
      }
    })

    await t.test('when one of them is killed', async () => {
      const load = startLoad(t, { clients: [one.client], flow: flow.slug, body })
      await load.moreAccepted(100)
      await one.process.end('SIGKILL')
      await load.stop()
      await assertAllSucceed(await fromTheBeginning(two.client, flow.id), load.accepted)
    })
  })
})

function paths(calls: readonly Call[]): string[] {
  return calls.map(({ path }) => path)
}

function keys(calls: readonly Call[]): unknown[] {
  return calls.map(({ headers }) => headers['idempotency-key']).sort()
}

function fromTheBeginning(client: ApiClient, flowId: string): Promise<EventReader> {
  return client.events(flowId, { lastEventId: '0.0' })
}

/** Reads on until the end of every one of these runs was told. */
async function assertAllSucceed(events: EventReader, ids: readonly string[]): Promise<void> {
  const open = new Set(ids)
  await events.until(({ event, data }) => {
    if (event !== 'run.ended') return false
    assert.equal(data.status, 'succeeded')
    open.delete(data.run_id as string)
    return open.size === 0
  })
  events.close()
}
