import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { JsonValue } from '../src/millrace.ts'
import type { ApiClient, FlowBody, RunBody } from './support/api-client.ts'
import { eventually } from './support/eventually.ts'
import { HEARD_FLOW as FLOW, HeardTrigger, HEARD_NODES as NODES } from './support/heard-trigger.ts'
import { createHost } from './support/host.ts'

async function startHost(t: TestContext, record = new HeardTrigger()) {
  const host = await createHost(t, { plugins: [record.plugin] })
  return { record, host, client: await host.listen() }
}

async function save(client: ApiClient, flow: FlowBody, change: object): Promise<FlowBody> {
  const answer = await client.request('PUT', `/api/v1/flows/${flow.id}`, {
    body: { ...FLOW, version: flow.version, ...change }
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.json<FlowBody>()
}

interface ShownTrigger {
  readonly node: string
  readonly trigger: string
  readonly status: string
  readonly error: { readonly message: string } | null
}

async function triggersOf(client: ApiClient, flow: FlowBody): Promise<ShownTrigger[]> {
  return (await client.get(`/api/v1/flows/${flow.id}/triggers`)).json<{ triggers: ShownTrigger[] }>().triggers
}

interface ListedTriggers {
  readonly slug: string
  readonly failing_triggers: unknown
}

async function failingIn(client: ApiClient) {
  const { flows } = (await client.get('/api/v1/flows?triggers=true')).json<{ flows: ListedTriggers[] }>()
  return flows.map(({ slug, failing_triggers }) => [slug, failing_triggers])
}

test('a trigger of a plugin', async (t) => {
  const { record, client, host } = await startHost(t)
  assert.deepEqual(record.told, [])
  const flow = await client.createFlow(FLOW)

  await t.test('is started when its flow goes live, and starts runs with what it heard', async () => {
    await eventually(() => record.told, ['start news v1'])
    const input: JsonValue = { title: 'Rain' }
    const run = await client.waitForRun(await record.only.startRun(input))
    assert.deepEqual([run.status, run.trigger, run.input], ['succeeded', 'heard', input])
    assert.deepEqual(run.steps[0]!.outputs, { data: input })
    assert.deepEqual(await triggersOf(client, flow), [
      { node: 'heard-1', trigger: 'heard', status: 'running', error: null }
    ])
  })

  await t.test('starts one run for an event that comes again', async () => {
    const first = await record.only.startRun(1, { id: 'a' })
    assert.equal(await record.only.startRun(2, { id: 'a' }), first)
    assert.notEqual(await record.only.startRun(3, { id: 'b' }), first)
  })

  await t.test(
    'is stopped and started anew with each version, stopped while paused and deleted',
    async () => {
      const told = () => record.told.splice(0)
      told()
      const old = record.only
      const sport = [{ ...NODES[0]!, fields: { topic: 'sport' } }, NODES[1]]
      const second = await save(client, flow, { nodes: sport })
      await eventually(() => record.told.length, 3)
      // What the runs of before had opened is let go of, too, whichever is faster.
      assert.deepEqual(told().sort(), ['close v1', 'start sport v2', 'stop v1'])
      await assert.rejects(old.startRun({}), { code: 'trigger_stopped' })
      assert.ok(old.signal.aborted)

      await client.post(`/api/v1/flows/${flow.id}/pause`, { mode: 'hold' })
      await eventually(told, ['stop v2'])
      assert.deepEqual(
        (await triggersOf(client, flow)).map(({ status }) => status),
        ['stopped']
      )
      await client.post(`/api/v1/flows/${flow.id}/resume`)
      await eventually(told, ['start sport v2'])
      const third = await save(client, second, { nodes: [{ ...NODES[0]!, disabled: true }, NODES[1]] })
      await eventually(told, ['stop v2'])
      await save(client, third, {})
      await eventually(told, ['start news v4'])
      await client.request('DELETE', `/api/v1/flows/${flow.id}`)
      await eventually(told, ['stop v4'])
    }
  )

  await t.test('that cannot start is shown with the reason, and tried again until it can', async () => {
    record.failures = Number.POSITIVE_INFINITY
    const failing = await client.createFlow({ ...FLOW, slug: 'failing' })
    const shown = () => triggersOf(client, failing)
    const [found] = await eventually(shown, ([only]) => only?.status === 'failing')
    assert.equal(found!.error?.message, 'the broker is away')
    assert.deepEqual(await failingIn(client), [
      ['orders', []],
      ['failing', [{ node: 'heard-1', ...found!.error }]]
    ])
    record.failures = 0
    await eventually(shown, ([only]) => only?.status === 'running')
    assert.deepEqual((await failingIn(client))[1], ['failing', []])
    assert.deepEqual(record.told.splice(0), ['start news v1'])
  })

  await t.test('is stopped with the service, before what it starts could not be kept', async () => {
    const { startRun } = record.only
    await host.close()
    assert.deepEqual(record.told, ['stop v1'])
    await assert.rejects(startRun({}), { code: 'trigger_stopped' })
  })
})

test('what a component opens for a version', async (t) => {
  const { record, client, host } = await startHost(t)
  const flow = await client.createFlow(FLOW)
  const opened = async () => {
    const run = (await client.post('/api/v1/run/heard', { input: {} })).json<RunBody>()
    return run.steps[1]!.outputs
  }
  const told = () => record.told.filter((each) => /open|close/.test(each))

  await t.test('is shared by its runs, and let go of when another version is live', async () => {
    assert.deepEqual([await opened(), await opened()], [{ data: 1 }, { data: 1 }])
    assert.deepEqual(told(), ['open v1'])
    await save(client, flow, {})
    await eventually(told, ['open v1', 'close v1'])
    assert.deepEqual(await opened(), { data: 2 })
  })

  await t.test('is let go of when the service stops', async () => {
    await host.close()
    assert.deepEqual(told().slice(2), ['open v2', 'close v2'])
  })
})
