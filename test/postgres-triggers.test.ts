import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import type { ApiClient, RunBody } from './support/api-client.ts'
import { cleanUp } from './support/clean-up.ts'
import { createAtBoth } from './support/cluster.ts'
import { eventually } from './support/eventually.ts'
import { HEARD_FLOW, HeardTrigger } from './support/heard-trigger.ts'
import { createHost } from './support/host.ts'
import { startOutside } from './support/outside.ts'
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
  const clients = await Promise.all(hosts.map((host) => host.listen()))
  const [client] = clients
  const inputsOf = async (at: ApiClient, slug: string): Promise<unknown[]> => {
    const { runs } = (await at.get(`/api/v1/runs?flow_id=${slug}&limit=100`)).json<{ runs: RunBody[] }>()
    const whole = await Promise.all(runs.map(({ id }) => at.get(`/api/v1/runs/${id}`)))
    return whole.map((answer) => answer.json<RunBody>().input)
  }
  const scheduled = async (at = client!): Promise<string[]> =>
    (await inputsOf(at, 'secondly')).map((input) => (input as { scheduled_at: string }).scheduled_at)
  await client!.createFlow(HEARD_FLOW)
  const owner = () => both.findIndex((heard) => heard.started.size === 1)
  const first = await eventually(owner, (at) => at >= 0)

  await t.test('the runs that it starts are executed by either', async () => {
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

  await t.test('a time of a schedule has one run, whoever has the triggers', async () => {
    const node = { id: 's', type: 'schedule', position: { x: 0, y: 0 }, fields: { cron: '* * * * * *' } }
    await client!.createFlow({ name: 'Secondly', slug: 'secondly', nodes: [node], edges: [] })
    await eventually(scheduled, (times) => times.length > 1)
  })

  await t.test('what comes while nobody has the triggers is made up for by who has them next', async () => {
    const outside = await startOutside(t)
    const items = [{ id: 1 }, { id: 2 }]
    outside.answerAll(() => ({ body: items }))
    const connection = { name: 'shop', kind: 'http', settings: { base_url: outside.url() } }
    await client!.post('/api/v1/connections', connection)
    const fields = { every: '1s', connection: 'shop', url: '/orders', first: 'Take all' }
    const watch = { id: 'w', type: 'watch', position: { x: 0, y: 0 }, fields }
    await client!.createFlow({ name: 'Watched', slug: 'watched', nodes: [watch], edges: [] })
    const watched = async () =>
      (await inputsOf(client!, 'watched')).map((item) => (item as { id: number }).id)
    await eventually(watched, [2, 1])
    const db = new Client(url)
    await db.connect()
    cleanUp(t, () => db.end())
    const lease = 'UPDATE millrace.trigger_owner SET process_id = $1, until = now() + $2::interval'
    await db.query(lease, ['ghost', '1 hour'])
    await eventually(owner, -1)
    items.splice(0, 1, { id: 3 })
    const last = (await scheduled())[0]!
    await eventually(
      () => Date.now() - Date.parse(last),
      (ms) => ms > 4_500
    )
    await db.query(lease, ['ghost', '-1s'])
    const times = await eventually(scheduled, (found) => Date.parse(found[0]!) > Date.parse(last) + 5_000)
    const seconds = times.map((time) => Date.parse(time) / 1000).sort((a, b) => a - b)
    assert.deepEqual(
      seconds,
      seconds.map((_, place) => seconds[0]! + place),
      'none is left out'
    )
    await eventually(watched, [3, 2, 1])
    await client!.request('DELETE', '/api/v1/flows/watched')
  })

  await t.test('a run that fails starts one, wherever it failed', async () => {
    const at = { position: { x: 0, y: 0 }, fields: {} }
    const flows = { failing: 'stop', watching: 'run-failed' }
    for (const [slug, type] of Object.entries(flows)) {
      const nodes = [{ id: 'n', type, ...at }]
      await createAtBoth([clients[0]!, clients[1]!], { name: slug, slug, nodes, edges: [] })
    }
    const failed = await Promise.all(
      Array.from({ length: 6 }, (_, no) => clients[no % 2]!.post('/api/v1/run/failing', { input: no }))
    )
    const ids = failed.map((answer) => answer.json<RunBody>().id)
    const told = await eventually(
      () => inputsOf(client!, 'watching'),
      (inputs) => inputs.length >= ids.length
    )
    assert.deepEqual(told.map((input) => (input as { run_id: string }).run_id).sort(), ids.sort())
  })

  await t.test('who stops hands them over, and runs that wait go on without it', async () => {
    const last = owner()
    const nodes = [{ id: 'call', type: 'wait-for-call', position: { x: 0, y: 0 } }]
    await createAtBoth([clients[0]!, clients[1]!], { name: 'Called', slug: 'called', nodes, edges: [] })
    const started = await Promise.all(
      [0, 1, 0, 1].map((at) => clients[at]!.post('/api/v1/run/called', { input: at }))
    )
    const ids = started.map((answer) => answer.json<RunBody>().id)
    await hosts[last]!.close()
    const left = clients[1 - last]!
    for (const id of ids) {
      const run = (await left.get(`/api/v1/runs/${id}`)).json<
        RunBody & { waiting: { resume_url: string }[] }
      >()
      const path = run.waiting[0]!.resume_url.replace(/^.*(?=\/api\/)/, '')
      const call = await left.post(path, {}, { key: null })
      assert.deepEqual([run.status, call.status], ['waiting', 202])
      assert.equal((await left.waitForRun(id)).status, 'succeeded')
    }
    assert.equal(both[last]!.started.size, 0)
    await eventually(owner, 1 - last)
    const count = (await scheduled(clients[1 - last]!)).length
    const times = await eventually(
      () => scheduled(clients[1 - last]!),
      (found) => found.length > count + 1
    )
    assert.equal(new Set(times).size, times.length)
  })

  assert.deepEqual(new Set(startedAtOnce), new Set([0]))
})
