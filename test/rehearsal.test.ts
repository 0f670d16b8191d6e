import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FlowBody, problemOf, type RunBody } from './support/api-client.ts'
import { branchFlow, ordersFlow } from './support/documents.ts'
import { eventually } from './support/eventually.ts'
import { startOutside } from './support/outside.ts'
import { type Service, startService } from './support/service.ts'

interface Case {
  readonly run_id: string
  readonly verdict: string
  readonly node: string | null
  readonly was: unknown
  readonly is: unknown
  readonly error: { readonly code: string; readonly message: string } | null
}

interface Open {
  readonly approvals: readonly { readonly id: string; readonly run_id: string }[]
}

interface Rehearsal extends Readonly<Record<'same' | 'different' | 'failed' | 'unknown' | 'runs', number>> {
  readonly status: string
  readonly cases: readonly Case[]
  readonly revision: number | null
}

/** Sets fields of one node in the draft, and rehearses it. */
async function rehearsed(
  service: Service,
  flow: FlowBody,
  fields: Readonly<Record<string, object>>,
  body: object | undefined = undefined
): Promise<Rehearsal> {
  const nodes = flow.nodes.map((node) => ({ ...node, fields: fields[String(node.id)] ?? node.fields ?? {} }))
  const drafted = await service.request('PUT', `/api/v1/flows/${flow.id}/draft`, {
    body: { ...flow, nodes, revision: await revisionOf(service, flow) }
  })
  assert.equal(drafted.status, 200, drafted.text)
  return rehearse(service, flow, body)
}

async function revisionOf(service: Service, flow: FlowBody): Promise<number> {
  const answer = await service.get(`/api/v1/flows/${flow.id}/draft`)
  return answer.status === 404 ? 0 : answer.json<{ revision: number }>().revision
}

async function rehearse(service: Service, flow: FlowBody, body?: object): Promise<Rehearsal> {
  const path = `/api/v1/flows/${flow.id}/draft/rehearsal`
  const begun = await service.post(path, body)
  assert.equal(begun.status, 202, begun.text)
  return eventually(
    async () => (await service.get(path)).json<Rehearsal>(),
    ({ status }) => status !== 'in progress'
  )
}

const countsOf = ({ same, different, failed, unknown, runs }: Rehearsal) => ({
  same,
  different,
  failed,
  unknown,
  runs
})

describe('a rehearsal', () => {
  it('tells what the draft would have done with what started the last live runs', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(ordersFlow())
    const ids: string[] = []
    for (const customer of ['Ann', 'Bob'])
      ids.push((await service.run(flow.slug, JSON.stringify({ order_id: 7, customer }))).id)
    const same = await rehearse(service, flow)
    assert.deepEqual([same.status, same.revision], ['succeeded', null])
    assert.deepEqual(countsOf(same), { same: 2, different: 0, failed: 0, unknown: 0, runs: 2 })
    const template = 'Order {order_id} {customer}'
    const changed = await rehearsed(service, flow, { 'parser-1': { mode: 'Parser', template } })
    assert.deepEqual(countsOf(changed), { same: 0, different: 2, failed: 0, unknown: 0, runs: 2 })
    assert.deepEqual(changed.cases[0], {
      run_id: ids[1],
      verdict: 'different',
      node: 'parser-1',
      was: { parsed_text: 'Order 7 from Bob' },
      is: { parsed_text: 'Order 7 Bob' },
      error: null
    })
    const one = await rehearsed(
      service,
      flow,
      { 'parser-1': { mode: 'Parser', template: 'Order {nowhere}' } },
      { runs: 1 }
    )
    assert.deepEqual(countsOf(one), { same: 0, different: 0, failed: 1, unknown: 0, runs: 1 })
    assert.equal(one.cases[0]!.node, 'parser-1')
    assert.equal(one.cases[0]!.error!.code, 'template_missing_key')
  })

  it('leaves nothing behind: no run, no message, no stats', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(ordersFlow())
    await service.run(flow.slug, '{"order_id":1,"customer":"Ann"}')
    const look = async () => [
      (await service.get(`/api/v1/runs?flow_id=${flow.id}`)).json<{ runs: unknown[] }>().runs.length,
      (await service.get(`/api/v1/flows/${flow.id}/messages`)).text,
      (await service.get('/metrics')).text
        .split('\n')
        .filter((line) => line.startsWith('millrace_runs_total'))
    ]
    const before = await look()
    await rehearsed(service, flow, { 'parser-1': { mode: 'Parser', template: 'New {order_id}' } })
    assert.deepEqual(await look(), before)
  })

  it('tells which runs take another branch', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(branchFlow())
    for (const total of [50, 150, 250]) await service.run(flow.slug, JSON.stringify({ total }))
    const fields = { left: '{total}', operator: 'is greater than', right: '200' }
    const found = await rehearsed(service, flow, { 'if-else-1': fields })
    assert.deepEqual(countsOf(found), { same: 2, different: 1, failed: 0, unknown: 0, runs: 3 })
    assert.equal(found.cases[0]!.node, 'if-else-1')
  })

  it('calls nobody: what was called then answers what it did, and what differs is unknown', async (t) => {
    const service = await startService(t)
    const outside = await startOutside(t)
    outside.answerAll(({ body }) => ({ body: { price: JSON.parse(body).order_id * 10 } }))
    const connection = await service.post('/api/v1/connections', {
      name: 'shop',
      kind: 'http',
      settings: { base_url: outside.url() }
    })
    assert.equal(connection.status, 201, connection.text)
    const flow = await service.createFlow({
      name: 'Prices',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'call', type: 'api-request', fields: { connection: 'shop', method: 'POST', url: 'price' } },
        { id: 'parser-1', type: 'parser', fields: { template: 'It is {price}' } },
        { id: 'chat-output-1', type: 'chat-output' }
      ],
      edges: [
        { from: 'webhook-1.data', to: 'call.data' },
        { from: 'call.body', to: 'parser-1.data' },
        { from: 'parser-1.parsed_text', to: 'chat-output-1.text' }
      ]
    })
    await service.run(flow.slug, '{"order_id":4}')
    const behind = await rehearsed(service, flow, { 'parser-1': { template: 'Costs {price}' } })
    assert.deepEqual(countsOf(behind), { same: 0, different: 1, failed: 0, unknown: 0, runs: 1 })
    assert.deepEqual(behind.cases[0]!.is, { parsed_text: 'Costs 40' })
    const other = { connection: 'shop', method: 'POST', url: 'prices' }
    const unknown = await rehearsed(service, flow, { call: other })
    assert.deepEqual(countsOf(unknown), { same: 0, different: 0, failed: 0, unknown: 1, runs: 1 })
    assert.equal(unknown.cases[0]!.node, 'call')
    assert.equal(outside.calls.length, 1)
  })

  it('tells what an unknown step had, but for what is secret', async (t) => {
    const service = await startService(t, { plugins: ['secretive.ts'] })
    const flow = await service.createFlow({
      name: 'Secret',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'asks', type: 'secretive', fields: { words: 'a', secret: 'hidden-then' } }
      ],
      edges: [{ from: 'webhook-1.data', to: 'asks.data' }]
    })
    await service.run(flow.slug, '{}')
    const fields = { words: 'b', secret: 'hidden-now' }
    const [found] = (await rehearsed(service, flow, { asks: fields })).cases
    const { was, is } = found as { was: { fields: object }; is: { fields: object } }
    assert.deepEqual(
      [was.fields, is.fields].map((each) => Reflect.get(each, 'words')),
      ['a', 'b']
    )
    assert.doesNotMatch(JSON.stringify([was.fields, is.fields]), /hidden/)
  })

  it('plays the items of a For each, and finds the one that differs', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow({
      name: 'Lines',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'each', type: 'for-each' },
        { id: 'line', type: 'parser', parent: 'each', fields: { template: 'Hello {name}' } },
        { id: 'answer', type: 'return' }
      ],
      edges: [
        { from: 'webhook-1.data', to: 'each.items' },
        { from: 'each.item', to: 'line.data' },
        { from: 'line.parsed_text', to: 'each.result' },
        { from: 'each.results', to: 'answer.data' }
      ]
    })
    await service.run(flow.slug, '[{"name":"Ann"},{"name":"Bob"}]')
    const same = await rehearse(service, flow)
    assert.deepEqual(countsOf(same), { same: 1, different: 0, failed: 0, unknown: 0, runs: 1 })
    const found = await rehearsed(service, flow, { line: { template: 'Dear {name}' } })
    assert.deepEqual(countsOf(found), { same: 0, different: 1, failed: 0, unknown: 0, runs: 1 })
    const [first] = found.cases
    assert.deepEqual(
      [first!.node, first!.was, first!.is],
      ['line', { parsed_text: 'Hello Ann' }, { parsed_text: 'Dear Ann' }]
    )
  })

  it('of a waiting step gives what ended it then', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow({
      name: 'Asks',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'ask', type: 'approve', fields: { question: 'Ship {order_id}?' } },
        { id: 'parser-1', type: 'parser', fields: { template: '{choice} by then' } },
        { id: 'chat-output-1', type: 'chat-output' }
      ],
      edges: [
        { from: 'webhook-1.data', to: 'ask.data' },
        { from: 'ask.approve', to: 'parser-1.data' },
        { from: 'parser-1.parsed_text', to: 'chat-output-1.text' }
      ]
    })
    const started = await service.post(`/api/v1/webhook/${flow.slug}`, { order_id: 1 })
    assert.equal(started.status, 202)
    const [approval] = await eventually(
      async () => (await service.get('/api/v1/approvals?status=open')).json<Open>().approvals,
      ({ length }) => length === 1
    )
    const answered = await service.post(`/api/v1/approvals/${approval!.id}`, { choice: 'Approve' })
    assert.equal(answered.status, 200, answered.text)
    await eventually(
      async () => (await service.get(`/api/v1/runs/${approval!.run_id}`)).json<RunBody>().status,
      'succeeded'
    )
    const found = await rehearsed(service, flow, { 'parser-1': { template: '{choice}d' } })
    assert.deepEqual(found.cases[0]!.is, { parsed_text: 'Approved' })
    const asked = await rehearsed(service, flow, { ask: { question: 'Send {order_id}?' } })
    assert.deepEqual([asked.unknown, asked.cases[0]!.node], [1, 'ask'])
  })

  it('is refused for what cannot be run, and unknown where there was none', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(ordersFlow())
    const none = await service.get(`/api/v1/flows/${flow.id}/draft/rehearsal`)
    problemOf(none, 404, 'rehearsal_not_found')
    const path = `/api/v1/flows/${flow.id}/draft/rehearsal`
    assert.equal((await service.post(path, { runs: 0 })).status, 422)
    const nodes = flow.nodes.map((node) => ({
      ...node,
      type: node.type === 'parser' ? 'nothing' : node.type
    }))
    await service.request('PUT', `/api/v1/flows/${flow.id}/draft`, { body: { ...flow, nodes } })
    const refused = await service.post(path)
    problemOf(refused, 422, 'flow_invalid')
    assert.deepEqual(countsOf(await emptied(service, flow)), {
      same: 0,
      different: 0,
      failed: 0,
      unknown: 0,
      runs: 0
    })
  })
})

async function emptied(service: Service, flow: FlowBody): Promise<Rehearsal> {
  await service.request('DELETE', `/api/v1/flows/${flow.id}/draft`)
  return rehearse(service, flow)
}
