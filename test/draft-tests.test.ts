import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type Answer,
  type FlowBody,
  problemOf,
  type RequestOptions,
  type RunBody
} from './support/api-client.ts'
import { makeContext } from './support/contexts.ts'
import { callFlow, chatFlow, ORDER, ordersFlow } from './support/documents.ts'
import { startOutside } from './support/outside.ts'
import { type Service, startService } from './support/service.ts'

type TestBody = RunBody & { readonly test: boolean }

async function draft(service: Service, flow: FlowBody, changes: object): Promise<void> {
  const body = { ...flow, ...changes }
  const answer = await service.request('PUT', `/api/v1/flows/${flow.id}/draft`, { body })
  assert.equal(answer.status, 200, answer.text)
}

function withTemplate({ nodes }: Pick<FlowBody, 'nodes'>, template: string) {
  const fields = { mode: 'Parser', template }
  return { nodes: nodes.map((node) => (node.type === 'parser' ? { ...node, fields } : node)) }
}

function test(service: Service, flow: FlowBody, body?: object, options?: RequestOptions): Promise<Answer> {
  return service.post(`/api/v1/flows/${flow.id}/test`, body, options)
}

async function tested(service: Service, flow: FlowBody, input: unknown = ORDER): Promise<TestBody> {
  const answer = await test(service, flow, { input })
  assert.equal(answer.status, 200, answer.text)
  return answer.json<TestBody>()
}

const said = ({ steps }: RunBody) => steps.find(({ type }) => type === 'parser')?.outputs?.parsed_text

async function listed(service: Service, query: string): Promise<TestBody[]> {
  const answer = await service.get(`/api/v1/runs?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json<{ runs: TestBody[] }>().runs
}

async function succeeded(service: Service): Promise<number> {
  const line = /^millrace_runs_total\{status="succeeded"\} (\d+)$/m
  return Number(line.exec((await service.get('/metrics')).text)![1])
}

describe('a test', () => {
  it('runs the draft, or what is live where there is none', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(ordersFlow())
    const live = await tested(service, flow)
    assert.deepEqual([live.test, live.status, said(live)], [true, 'succeeded', 'Order 7 from Ann'])
    await draft(service, flow, withTemplate(flow, 'Draft {order_id}'))
    const run = await tested(service, flow)
    assert.deepEqual([run.test, said(run), run.flow_version], [true, 'Draft 7', 1])
    const plain = await service.run(flow.slug, JSON.stringify(ORDER))
    assert.deepEqual([(plain as TestBody).test, said(plain)], [false, 'Order 7 from Ann'])
  })

  it('tells the faults of the draft, and runs nothing', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(ordersFlow())
    await draft(service, flow, withTemplate(flow, '{half'))
    const { errors = [] } = problemOf(await test(service, flow, { input: ORDER }), 422, 'flow_invalid')
    assert.equal(errors.length, 1)
    assert.deepEqual(await listed(service, `flow_id=${flow.id}`), [])
    problemOf(await test(service, flow, { inputs: 1 }), 422, 'invalid_request')
  })

  it('is told from other runs in lists, and is no part of stats, metrics and the newest runs', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(ordersFlow())
    const before = await succeeded(service)
    const plain = await service.run(flow.slug, JSON.stringify(ORDER))
    const run = await tested(service, flow)
    const ids = async (query: string) =>
      (await listed(service, `flow_id=${flow.id}${query}`)).map(({ id, test }) => [id, test])
    assert.deepEqual(await ids(''), [
      [run.id, true],
      [plain.id, false]
    ])
    assert.deepEqual(await ids('&test=true'), [[run.id, true]])
    assert.deepEqual(await ids('&test=false'), [[plain.id, false]])
    assert.equal((await succeeded(service)) - before, 1)
    const stats = await service.get(`/api/v1/runs/stats?flow_id=${flow.id}&buckets=1`)
    assert.equal(stats.json<{ buckets: { succeeded: number }[] }>().buckets[0]!.succeeded, 1)
    const { flows } = (await service.get('/api/v1/flows?recent=5')).json<{
      flows: (FlowBody & { recent_runs: { id: string }[] })[]
    }>()
    assert.deepEqual(
      flows.find(({ id }) => id === flow.id)!.recent_runs.map(({ id }) => id),
      [plain.id]
    )
  })

  it('runs on a copy of what started another run of the flow', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(ordersFlow())
    const other = await service.createFlow(ordersFlow({ slug: 'other' }))
    const sent = '{ "order_id": 12345678901234567890, "customer": "Ann" }'
    const real = await service.run(`${flow.slug}?shop=eu`, sent)
    await draft(service, flow, withTemplate(flow, 'Draft {order_id}'))
    const copy = (await test(service, flow, { run_id: real.id })).json<TestBody>()
    assert.deepEqual([copy.test, copy.trigger, copy.replay_of], [true, 'webhook', real.id])
    assert.equal(said(copy), 'Draft 12345678901234567890')
    assert.deepEqual([copy.request, real.request?.query], [real.request, { shop: 'eu' }])
    assert.equal((await service.get(`/api/v1/runs/${copy.id}/input`)).text, sent)
    const edited = (await test(service, flow, { run_id: real.id, input: ORDER })).json<TestBody>()
    assert.deepEqual([said(edited), edited.request], ['Draft 7', real.request])
    problemOf(await test(service, other, { run_id: real.id }), 404, 'run_not_found')
    problemOf(await test(service, flow, { run_id: 'absent' }), 404, 'run_not_found')
  })

  it('tells the document that it ran, whatever became of the draft', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(ordersFlow())
    const templateOf = async ({ id }: RunBody) => {
      const { nodes } = (await service.get(`/api/v1/runs/${id}/document`)).json<FlowBody>()
      return (nodes.find(({ type }) => type === 'parser') as { fields?: { template?: string } }).fields
        ?.template
    }
    await draft(service, flow, withTemplate(flow, 'Draft {order_id}'))
    const run = await tested(service, flow)
    await draft(service, flow, { ...withTemplate(flow, 'Newer {order_id}'), revision: 1 })
    const real = await service.run(flow.slug, JSON.stringify(ORDER))
    assert.deepEqual(
      [await templateOf(run), await templateOf(real)],
      ['Draft {order_id}', 'Order {order_id} from {customer}']
    )
  })

  it('goes on after a restart with the document and the pins that it began with', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const flow = await service.createFlow(callFlow(outside.url()))
    await draft(service, flow, { edges: flow.edges.slice(0, 1), nodes: flow.nodes.slice(0, 2) })
    const pin = `/api/v1/flows/${flow.id}/pins/webhook-1`
    await service.request('PUT', pin, { body: { outputs: { data: 'pinned' } } })
    const asked = test(service, flow, { input: 1 }).catch(() => undefined)
    await outside.next()
    await service.request('DELETE', pin)
    const [{ id }] = (await listed(service, 'test=true')) as [TestBody]
    await service.request('DELETE', `/api/v1/flows/${flow.id}/draft`)
    await service.stop()
    await asked
    const again = await startService(t, { home: service.home, plugins: ['call.ts'] })
    const call = await outside.next()
    call.answer()
    const run = await again.waitForRun(id)
    assert.deepEqual([(run as TestBody).test, run.status, run.steps.length], [true, 'succeeded', 2])
    assert.deepEqual([run.steps[0]?.attempts, run.steps[0]?.outputs], [0, { data: 'pinned' }])
  })

  it('does not wait behind all that the flow has to do, and runs while it is paused', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const flow = await service.createFlow(callFlow(outside.url(), { webhook: { concurrency: 1 } }))
    await draft(service, flow, { nodes: flow.nodes.slice(0, 1), edges: [] })
    for (let n = 0; n < 5; n++) await service.start(flow.slug)
    const first = await outside.next()
    const events = await service.events(flow.id)
    const asked = test(service, flow, {})
    await events.until(({ event, data }) => event === 'run.queued' && data.test === true)
    first.answer()
    // The next of the four that wait begins after it, or it would not end: none of their calls is answered.
    assert.equal((await asked).json<TestBody>().status, 'succeeded')
    const second = await outside.next()
    await service.post(`/api/v1/flows/${flow.id}/pause`, { mode: 'refuse' })
    second.answer()
    assert.equal((await tested(service, flow)).status, 'succeeded')
  })

  it('is retried on the same document, and replayed on the draft', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(ordersFlow())
    await draft(service, flow, withTemplate(flow, 'Draft {missing}'))
    const failed = await tested(service, flow)
    assert.equal(failed.status, 'failed')
    await draft(service, flow, { ...withTemplate(flow, 'Newer {order_id}'), revision: 1 })
    await service.post(`/api/v1/runs/${failed.id}/retry`)
    assert.equal((await service.waitForRun(failed.id)).status, 'failed')
    const answer = await service.post(`/api/v1/runs/${failed.id}/replay`)
    const replayed = (await service.waitForRun(answer.json<{ run_id: string }>().run_id)) as TestBody
    assert.deepEqual([replayed.test, said(replayed), replayed.replay_of], [true, 'Newer 7', failed.id])
  })

  it('is a turn of the Playground too', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(chatFlow())
    const turn = (body: object, options?: RequestOptions) =>
      service.post(`/api/v1/flows/${flow.id}/chat`, { text: 'Hello', session: 'mine', ...body }, options)
    const start = await turn({ draft: true })
    const run = (await service.waitForRun(start.json<{ run_id: string }>().run_id)) as TestBody
    assert.deepEqual([run.test, run.trigger, run.session], [true, 'chat', 'mine'])
    await draft(service, flow, { nodes: [{ id: 'webhook-1', type: 'webhook' }], edges: [] })
    problemOf(await turn({ draft: true }), 409, 'flow_without_chat_input')
    assert.equal((await turn({})).status, 202)
    const { key } = await service.createKey({ rights: ['trigger', 'read'] })
    problemOf(await turn({ draft: true }, { key }), 403, 'forbidden')
  })

  it('is for who may write the flow, start runs, and put it where the draft says', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/sales')
    await makeContext(service, '/people', { variables: { salary: '7' } })
    const flow = await service.createFlow(ordersFlow({ context: '/sales' }))
    for (const rights of [
      ['read', 'write'],
      ['read', 'trigger']
    ]) {
      const { key } = await service.createKey({ rights })
      problemOf(await test(service, flow, {}, { key }), 403, 'forbidden')
    }
    const sales = await service.createKey({ rights: ['read', 'write', 'trigger'], context: '/sales' })
    assert.equal((await test(service, flow, { input: ORDER }, { key: sales.key })).status, 200)
    await draft(service, flow, { context: '/people', ...withTemplate(flow, '{$salary}') })
    problemOf(await test(service, flow, { input: ORDER }, { key: sales.key }), 403, 'forbidden')
    assert.equal(said(await tested(service, flow)), '7')
    const other = await service.createKey({ rights: ['read', 'write', 'trigger'], context: '/people' })
    problemOf(await test(service, flow, {}, { key: other.key }), 404, 'flow_not_found')
  })
})
