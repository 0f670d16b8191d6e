import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import type { ApiClient } from './support/api-client.ts'
import { clusterOn } from './support/cluster.ts'
import { eventually } from './support/eventually.ts'
import { startOutside } from './support/outside.ts'
import { sharedPostgres } from './support/postgres.ts'

const postgres = sharedPostgres()

interface Asked {
  readonly id: string
  readonly run_id: string
}

async function openApproval(client: ApiClient): Promise<Asked> {
  const read = async () => {
    const answer = await client.get('/api/v1/approvals?status=open')
    return answer.json<{ approvals: Asked[] }>().approvals
  }
  return (await eventually(read, ({ length }) => length > 0))[0]!
}

async function breakSignals(url: string): Promise<void> {
  const database = new Client({ connectionString: url })
  await database.connect()
  await database.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'millrace signals' AND datname = current_database()`)
  await database.end()
}

// In each, a call of the run is under way at the worker until the end: what follows the wait does not wait for it.
test('a wait that another process ends is over at once for whoever executes the run', async (t) => {
  const url = await postgres.database()
  const cluster = clusterOn(t, url, ['call.ts'])
  const [{ client }] = await Promise.all([cluster.start('web'), cluster.start('worker')])
  const outside = await startOutside(t)
  const call = (id: string) => ({ id, type: 'call', fields: { url: outside.url(`/${id}`) } })
  const ask = { id: 'ask', type: 'approve', fields: { question: '?' } }
  const webhook = { id: 'w', type: 'webhook' }
  const beside = (slug: string, node: object, from: string) => ({
    name: slug,
    slug,
    nodes: [webhook, call('long'), node, call('next')],
    edges: [
      { from: 'w.data', to: 'long.data' },
      { from: 'w.data', to: `${from.split('.')[0]}.data` },
      { from, to: 'next.data' }
    ]
  })

  await t.test('by ending the last child that it waits for', async () => {
    await client.createFlow({
      name: 'child',
      slug: 'child',
      nodes: [webhook, ask],
      edges: [{ from: 'w.data', to: 'ask.data' }]
    })
    const runFlow = { id: 'run', type: 'run-flow', on_error: 'output', fields: { flow: 'child' } }
    await client.createFlow(beside('parent', runFlow, 'run.error'))
    const id = await client.start('parent')
    const long = await outside.next()
    const { run_id } = await openApproval(client)
    assert.equal((await client.post(`/api/v1/runs/${run_id}/cancel`)).status, 200)
    const next = await outside.next()
    assert.equal(next.path, '/next')
    for (const each of [next, long]) each.answer({})
    assert.equal((await client.waitForRun(id)).status, 'succeeded')
  })

  await t.test('by an answer while their connection for signals is broken', async () => {
    await client.createFlow(beside('asked', ask, 'ask.approve'))
    const id = await client.start('asked')
    const long = await outside.next()
    const asked = await openApproval(client)
    await breakSignals(url)
    assert.equal((await client.post(`/api/v1/approvals/${asked.id}`, { choice: 'Approve' })).status, 200)
    const next = await outside.next()
    assert.equal(next.path, '/next')
    for (const each of [next, long]) each.answer({})
    assert.equal((await client.waitForRun(id)).status, 'succeeded')
  })
})
