import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FlowBody, problemOf } from './support/api-client.ts'
import { ordersFlow } from './support/documents.ts'
import { type Service, startService } from './support/service.ts'

interface Expectation {
  readonly id: string
  readonly name: string
  readonly run_id: string
  readonly of: string
}

interface Check extends Readonly<Record<'met' | 'failing' | 'unknown', number>> {
  readonly expectations: readonly (Expectation & {
    readonly verdict: string
    readonly node: string | null
    readonly was: unknown
    readonly is: unknown
  })[]
}

const SAME = 'Order {order_id} from {customer}'

async function drafted(service: Service, flow: FlowBody, template: string): Promise<void> {
  const draft = await service.get(`/api/v1/flows/${flow.id}/draft?or_none=true`)
  const revision = draft.status === 204 ? 0 : draft.json<{ revision: number }>().revision
  const nodes = flow.nodes.map((node) => (node.id === 'parser-1' ? { ...node, fields: { template } } : node))
  const body = { ...flow, nodes, revision }
  const answer = await service.request('PUT', `/api/v1/flows/${flow.id}/draft`, { body })
  assert.equal(answer.status, 200, answer.text)
}

async function kept(service: Service, flow: FlowBody, body: object): Promise<Expectation> {
  const answer = await service.post(`/api/v1/flows/${flow.id}/expectations`, body)
  assert.equal(answer.status, 201, answer.text)
  return answer.json()
}

async function check(service: Service, flow: FlowBody): Promise<Check> {
  const answer = await service.post(`/api/v1/flows/${flow.id}/expectations/check`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}

const countsOf = ({ met, failing, unknown }: Check) => [met, failing, unknown]

describe('an expectation', () => {
  it('holds each publish against what a run did, until it is accepted or removed', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(ordersFlow())
    const run = await service.run(flow.slug, '{"order_id":7,"customer":"Ann"}')
    const expectation = await kept(service, flow, { run_id: run.id, name: 'Order 7' })
    const { id } = expectation
    assert.deepEqual([expectation.name, expectation.of, expectation.run_id], ['Order 7', 'then', run.id])
    assert.deepEqual(countsOf(await check(service, flow)), [1, 0, 0])
    await drafted(service, flow, 'No. {order_id}')
    const failing = await check(service, flow)
    assert.deepEqual(countsOf(failing), [0, 1, 0])
    const { verdict, node, was, is } = failing.expectations[0]!
    assert.deepEqual([verdict, node], ['different', 'parser-1'])
    assert.deepEqual([was, is], [{ parsed_text: 'Order 7 from Ann' }, { parsed_text: 'No. 7' }])
    const publish = `/api/v1/flows/${flow.id}/publish`
    const refused = problemOf(await service.post(publish), 409, 'expectations_failed')
    assert.match(JSON.stringify(refused), /Order 7/)
    assert.equal((await service.post(publish, { accept_failing: true })).status, 200)
    await drafted(service, flow, SAME)
    assert.equal((await service.post(publish)).status, 200)
    await drafted(service, flow, 'No. {order_id}')
    assert.equal((await service.post(publish)).status, 409)
    const path = `/api/v1/flows/${flow.id}/expectations/${id}`
    assert.equal((await service.request('DELETE', path)).status, 204)
    problemOf(await service.request('DELETE', path), 404, 'expectation_not_found')
    assert.equal((await service.post(publish)).status, 200)
  })

  it('may be of what the draft does, and stays when the run is gone', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(ordersFlow())
    const run = await service.run(flow.slug, '{"order_id":9007199254740993,"customer":"Ann"}')
    await drafted(service, flow, 'No. {order_id}')
    await kept(service, flow, { run_id: run.id, of: 'now' })
    const session = `/api/v1/flows/${flow.id}/sessions?session=default`
    assert.equal((await service.request('DELETE', session)).status, 200)
    problemOf(await service.get(`/api/v1/runs/${run.id}`), 404, 'run_not_found')
    assert.deepEqual(countsOf(await check(service, flow)), [1, 0, 0])
    await drafted(service, flow, SAME)
    const failing = await check(service, flow)
    assert.deepEqual(countsOf(failing), [0, 1, 0])
    assert.deepEqual(failing.expectations[0]!.was, { parsed_text: 'No. 9007199254740993' })
    const listed = await service.get(`/api/v1/flows/${flow.id}/expectations`)
    assert.equal(listed.json<{ expectations: Expectation[] }>().expectations[0]!.of, 'now')
  })

  it('holds the items of a For each, too', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow({
      name: 'Lines',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'each', type: 'for-each' },
        { id: 'parser-1', type: 'parser', parent: 'each', fields: { template: 'Hello {name}' } },
        { id: 'answer', type: 'return' }
      ],
      edges: [
        { from: 'webhook-1.data', to: 'each.items' },
        { from: 'each.item', to: 'parser-1.data' },
        { from: 'parser-1.parsed_text', to: 'each.result' },
        { from: 'each.results', to: 'answer.data' }
      ]
    })
    const run = await service.run(flow.slug, '[{"name":"Ann"},{"name":"Bob"}]')
    await kept(service, flow, { run_id: run.id })
    assert.deepEqual(countsOf(await check(service, flow)), [1, 0, 0])
    await drafted(service, flow, 'Dear {name}')
    assert.deepEqual(countsOf(await check(service, flow)), [0, 1, 0])
  })

  it('is of no other flow’s run, and of none that is only a test', async (t) => {
    const service = await startService(t)
    const [flow, other] = [await service.createFlow(ordersFlow()), await service.createFlow(ordersFlow())]
    const run = await service.run(other.slug, '{"order_id":7,"customer":"Ann"}')
    const path = `/api/v1/flows/${flow.id}/expectations`
    problemOf(await service.post(path, { run_id: run.id }), 404, 'run_not_found')
    const input = { order_id: 1, customer: 'Bob' }
    const test = (await service.post(`/api/v1/flows/${flow.id}/test`, { input })).json<{ id: string }>()
    problemOf(await service.post(path, { run_id: test.id }), 404, 'run_not_found')
  })
})
