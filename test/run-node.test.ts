import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FlowBody, problemOf } from './support/api-client.ts'
import { callFlow, ORDER, ordersFlow } from './support/documents.ts'
import { startOutside } from './support/outside.ts'
import { type Service, startService } from './support/service.ts'

interface Tried {
  readonly status: string
  readonly outputs: Readonly<Record<string, unknown>> | null
  readonly error: { readonly code: string; readonly message: string } | null
  readonly duration_ms: number
}

async function tried(service: Service, flow: FlowBody, node: string, body?: object): Promise<Tried> {
  const answer = await service.post(`/api/v1/flows/${flow.id}/nodes/${node}/run`, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.json<Tried>()
}

async function runsOf(service: Service, flow: FlowBody): Promise<number> {
  return (await service.get(`/api/v1/runs?flow_id=${flow.id}`)).json<{ runs: unknown[] }>().runs.length
}

describe('one node, run by itself', () => {
  it('takes the inputs of the last run and the fields as saved, or those that are sent', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(ordersFlow())
    await service.run(flow.slug, JSON.stringify(ORDER))
    const last = await tried(service, flow, 'parser-1')
    assert.deepEqual(
      [last.status, last.outputs, last.error],
      ['succeeded', { parsed_text: 'Order 7 from Ann' }, null]
    )
    assert.ok(last.duration_ms >= 0)
    const body = { inputs: { data: { n: 1 } }, fields: { mode: 'Parser', template: 'No. {n}' } }
    assert.deepEqual((await tried(service, flow, 'parser-1', body)).outputs, { parsed_text: 'No. 1' })
    assert.deepEqual((await tried(service, flow, 'webhook-1')).outputs?.data, ORDER)
    assert.equal(await runsOf(service, flow), 1, 'nothing of it is a run')
  })

  it('of a For each or a Repeat takes what that last gave to its inside, also where it failed', async (t) => {
    const service = await startService(t)
    const regions = [
      { type: 'for-each', ports: ['items', 'item', 'result'], input: [{ n: 1 }, { n: 2 }] },
      { type: 'repeat', ports: ['data', 'data', 'next'], input: { n: 2 } }
    ]
    for (const { type, ports, input } of regions) {
      const [into, given, back] = ports
      const template = `{$nodes.pre.parsed_text}: {n} of round {$nodes.each.index}`
      const parser = { id: 'p', type: 'parser', parent: 'each', fields: { template } }
      const flow = await service.createFlow({
        name: type,
        nodes: [
          { id: 'w', type: 'webhook' },
          { id: 'pre', type: 'parser', fields: { template: 'Item' } },
          { id: 'each', type, fields: type === 'repeat' ? { until: 'true' } : {} },
          parser,
          { id: 'fails', type: 'parser', parent: 'each', fields: { template: '{n}{absent}' } },
          {
            id: 'last',
            type: 'prompt',
            parent: 'each',
            fields: { template: '{text}{$nodes.fails.parsed_text?}' }
          }
        ],
        edges: [
          { from: 'w.data', to: 'pre.data' },
          { from: 'w.data', to: `each.${into}` },
          { from: 'pre.parsed_text', to: 'last.text' },
          { from: `each.${given}`, to: 'p.data' },
          { from: `each.${given}`, to: 'fails.data' },
          { from: 'p.parsed_text', to: 'last.text' },
          { from: 'fails.parsed_text', to: 'last.text' },
          { from: 'last.prompt', to: `each.${back}` }
        ]
      })
      assert.equal((await tried(service, flow, 'p')).status, 'failed', 'nothing has been given yet')
      await service.run(flow.slug, JSON.stringify(input))
      const fields = { template: 'mended {n}' }
      assert.deepEqual((await tried(service, flow, 'fails', { fields })).outputs, {
        parsed_text: `mended ${type === 'repeat' ? 2 : 1}`
      })
    }
  })

  it('is that of the draft, whatever is wrong with other nodes', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(ordersFlow())
    const [webhook, parser, chat] = flow.nodes
    const nodes = [
      webhook,
      { ...parser, fields: { mode: 'Parser', template: 'Draft {order_id}' } },
      { ...chat, type: 'no-such-type' }
    ]
    await service.request('PUT', `/api/v1/flows/${flow.id}/draft`, { body: { ...flow, nodes } })
    const { outputs } = await tried(service, flow, 'parser-1', { inputs: { data: ORDER } })
    assert.deepEqual(outputs, { parsed_text: 'Draft 7' })
    const path = `/api/v1/flows/${flow.id}/nodes`
    const { errors = [] } = problemOf(
      await service.post(`${path}/chat-output-1/run`, {}),
      422,
      'flow_invalid'
    )
    assert.equal(errors[0]?.code, 'unknown_type')
    problemOf(await service.post(`${path}/parser-2/run`, {}), 404, 'node_not_found')
    problemOf(await service.post(`${path}/parser-1/run`, { input: {} }), 422, 'invalid_request')
    problemOf(await service.post(`${path}/parser-1/run`, { inputs: 1 }), 422, 'invalid_request')
    assert.equal((await service.post(`${path}/parser-1/run`, { inputs: { '': 1 } })).status, 200)
  })

  it('tells how it failed, after one attempt', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    outside.answerAll(() => ({ status: 500 }))
    const flow = await service.createFlow(
      callFlow(outside.url(), { call: { retry: { attempts: 3, backoff_ms: 1 }, on_error: 'output' } })
    )
    const { status, outputs, error } = await tried(service, flow, 'call-1', { inputs: { data: 1 } })
    assert.deepEqual([status, outputs, outside.calls.length], ['failed', null, 1])
    assert.match(error!.message, /500/)
  })

  it('ends when nobody waits for it any more', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const flow = await service.createFlow(callFlow(outside.url()))
    const leave = new AbortController()
    const asked = fetch(`${service.address}/api/v1/flows/${flow.id}/nodes/call-1/run`, {
      method: 'POST',
      headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
      body: JSON.stringify({ inputs: { data: 1 } }),
      signal: leave.signal
    }).catch(() => undefined)
    const call = await outside.next()
    leave.abort()
    assert.equal(await asked, undefined)
    await call.gone
    assert.equal(outside.calls.length, 1)
  })
})
