import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Answer, type FlowBody, problemOf, type RunBody } from './support/api-client.ts'
import { lifetimeOfFile } from './support/clean-up.ts'
import { makeContext } from './support/contexts.ts'
import { callFlow, ORDER, ordersFlow } from './support/documents.ts'
import { startOutside } from './support/outside.ts'
import { type Service, startService } from './support/service.ts'

interface PinBody {
  readonly node: string
  readonly outputs: Readonly<Record<string, unknown>>
  readonly stale: boolean
  readonly made_of: string
  readonly author: string | null
}

type Step = RunBody['steps'][number] & { readonly pinned?: true }

function pin(
  service: Service,
  flow: FlowBody,
  node: string,
  outputs: unknown,
  key?: string
): Promise<Answer> {
  const options = { body: { outputs }, ...(key !== undefined && { key }) }
  return service.request('PUT', `/api/v1/flows/${flow.id}/pins/${node}`, options)
}

async function pinned(service: Service, flow: FlowBody, node: string, outputs: unknown): Promise<PinBody> {
  const answer = await pin(service, flow, node, outputs)
  assert.equal(answer.status, 200, answer.text)
  return answer.json<PinBody>()
}

async function pinsOf(service: Service, flow: FlowBody): Promise<readonly PinBody[]> {
  const answer = await service.get(`/api/v1/flows/${flow.id}/pins`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json<{ pins: PinBody[] }>().pins
}

async function tested(service: Service, flow: FlowBody, body: object = {}): Promise<RunBody> {
  const answer = await service.post(`/api/v1/flows/${flow.id}/test`, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.json<RunBody>()
}

const stepOf = ({ steps }: RunBody, node: string) => steps.find((step) => step.node === node) as Step

async function saveDraft(service: Service, flow: FlowBody, changes: object): Promise<void> {
  const answer = await service.request('PUT', `/api/v1/flows/${flow.id}/draft`, {
    body: { ...flow, ...changes }
  })
  assert.equal(answer.status, 200, answer.text)
}

const life = lifetimeOfFile()
let started: Promise<Service> | undefined

/** One for all tests that need none of their own. */
function shared(): Promise<Service> {
  started ??= startService(life, { plugins: ['call.ts'] })
  return started
}

describe('a pin', () => {
  it('stands for a node in tests: nobody outside is called again', async (t) => {
    const service = await shared()
    const outside = await startOutside(t)
    let calls = 0
    outside.answerAll(() => {
      calls++
      return { status: 200 }
    })
    const flow = await service.createFlow(callFlow(outside.url()))
    const real = await tested(service, flow, { input: 1 })
    assert.equal(calls, 1)
    const { outputs } = stepOf(real, 'call-1')
    await pinned(service, flow, 'call-1', outputs)
    const run = await tested(service, flow, { input: 1 })
    assert.deepEqual([run.status, calls], ['succeeded', 1])
    const step = stepOf(run, 'call-1')
    assert.deepEqual([step.status, step.attempts, step.pinned, step.outputs], ['succeeded', 0, true, outputs])
    assert.equal(stepOf(run, 'webhook-1').pinned, undefined)
    const read = (await service.get(`/api/v1/runs/${run.id}`)).json<RunBody>()
    assert.equal(stepOf(read, 'call-1').pinned, true)

    for (const start of [
      () => service.run(flow.slug, '1'),
      async () => (await service.post(`/api/v1/run/${flow.slug}`, { input: 1 })).json<RunBody>()
    ]) {
      const before: number = calls
      const other = await start()
      assert.deepEqual([stepOf(other, 'call-1').pinned, calls], [undefined, before + 1])
    }
    await service.request('DELETE', `/api/v1/flows/${flow.id}/pins/call-1`)
    await tested(service, flow, { input: 1 })
    assert.equal(calls, 4)
  })

  it('gives its outputs to a node behind it that is run by itself', async () => {
    const service = await shared()
    const flow = await service.createFlow(ordersFlow())
    await service.run(flow.slug, JSON.stringify(ORDER))
    await pinned(service, flow, 'webhook-1', { data: { order_id: 12, customer: 'Pia' } })
    const tried = async (node: string) =>
      (await service.post(`/api/v1/flows/${flow.id}/nodes/${node}/run`)).json<Step>().outputs
    assert.deepEqual(await tried('parser-1'), { parsed_text: 'Order 12 from Pia' })
    assert.deepEqual((await tried('webhook-1'))?.data, ORDER, 'it is run itself, whatever is pinned')
    await pinned(service, flow, 'webhook-1', {})
    const silent = await service.post(`/api/v1/flows/${flow.id}/nodes/parser-1/run`)
    assert.equal(silent.json<Step>().status, 'failed', 'no output of the last run takes its place')
  })

  it('is no part of the flow, and stays when a draft is published', async () => {
    const service = await shared()
    const flow = await service.createFlow(ordersFlow())
    const made = await pinned(service, flow, 'parser-1', { parsed_text: 'Pinned' })
    assert.deepEqual([made.stale, made.author], [false, 'MILLRACE_API_KEY'])
    const fields = { mode: 'Parser', template: 'Draft {order_id}' }
    await saveDraft(service, flow, {
      nodes: flow.nodes.map((node) => (node.id === 'parser-1' ? { ...node, fields } : node))
    })
    assert.deepEqual(await pinsOf(service, flow), [{ ...made, stale: true }])
    const draft = await service.get(`/api/v1/flows/${flow.id}/draft`)
    assert.ok(!draft.text.includes('Pinned'))
    await service.post(`/api/v1/flows/${flow.id}/publish`, {})
    const live = await service.get(`/api/v1/flows/${flow.id}`)
    assert.ok(live.text.includes('Draft {order_id}') && !live.text.includes('Pinned'))
    const run = await tested(service, flow, { input: ORDER })
    assert.equal(stepOf(run, 'chat-output-1').outputs?.text ?? run.messages[0]?.text, 'Pinned')
    const real = await service.run(flow.slug, JSON.stringify(ORDER))
    assert.equal(stepOf(real, 'parser-1').outputs?.parsed_text, 'Draft 7')
    const latest = await service.get(`/api/v1/flows/${flow.id}/nodes/parser-1/output`)
    assert.equal(latest.json<{ run_id: string }>().run_id, real.id)
  })

  it('goes with its node, and is back with it', async () => {
    const service = await shared()
    const flow = await service.createFlow(ordersFlow())
    await pinned(service, flow, 'parser-1', { parsed_text: 'x' })
    await saveDraft(service, flow, { nodes: [flow.nodes[0]], edges: [] })
    assert.deepEqual(await pinsOf(service, flow), [])
    await service.request('DELETE', `/api/v1/flows/${flow.id}/draft`)
    assert.equal((await pinsOf(service, flow)).length, 1)
    const gone = { nodes: [flow.nodes[0]], edges: [], version: 1 }
    await service.request('PUT', `/api/v1/flows/${flow.id}`, { body: { ...flow, ...gone } })
    // The next pin finds that the node is nowhere any more.
    await pinned(service, flow, 'webhook-1', { data: 1 })
    await service.request('PUT', `/api/v1/flows/${flow.id}`, { body: { ...flow, version: 2 } })
    assert.deepEqual(
      (await pinsOf(service, flow)).map(({ node }) => node),
      ['webhook-1']
    )
  })

  it('is kept as it was given, digit by digit, and by the test that took it', async () => {
    const service = await shared()
    const flow = await service.createFlow(ordersFlow())
    const body = Buffer.from('{"outputs":{"data":{"order_id":12345678901234567890,"customer":"Ann"}}}')
    const headers = { 'content-type': 'application/json' }
    await service.request('PUT', `/api/v1/flows/${flow.id}/pins/webhook-1`, { body, headers })
    const run = await tested(service, flow)
    assert.equal(stepOf(run, 'parser-1').outputs?.parsed_text, 'Order 12345678901234567890 from Ann')
  })

  it('is refused where it is not an output, is too large, or belongs to no node', async () => {
    const service = await shared()
    const flow = await service.createFlow(ordersFlow())
    const refused = async (node: string, outputs: unknown, status: number, code: string) =>
      problemOf(await pin(service, flow, node, outputs), status, code).detail
    assert.match(await refused('parser-1', { text: 'x' }, 422, 'invalid_request'), /It has parsed_text/)
    await refused('parser-1', 'x', 422, 'invalid_request')
    await refused('parser-9', {}, 404, 'node_not_found')
    const large = { parsed_text: 'x'.repeat(256 * 1024) }
    assert.match(await refused('parser-1', large, 413, 'pin_too_large'), /257 kB .* 256 kB/)
    const path = `/api/v1/flows/${flow.id}/pins/parser-1`
    problemOf(await service.request('PUT', path, { body: { output: {} } }), 422, 'invalid_request')
    assert.deepEqual(await pinsOf(service, flow), [])
  })

  it('fits with the others of the flow', async () => {
    const service = await shared()
    const parsers = Array.from({ length: 9 }, (_, at) => ({ id: `parser-${at}`, type: 'parser', fields: {} }))
    const flow = await service.createFlow({ name: 'Many', nodes: parsers, edges: [] })
    const outputs = { parsed_text: 'x'.repeat(250 * 1024) }
    for (const { id } of parsers.slice(0, 8)) await pinned(service, flow, id, outputs)
    await pinned(service, flow, 'parser-0', outputs)
    problemOf(await pin(service, flow, 'parser-8', outputs), 413, 'pin_too_large')
  })

  it('holds no secret of a connection that its node names', async () => {
    const service = await shared()
    const secret = 'sk-0123456789-secret'
    const connection = {
      name: 'shop',
      kind: 'http',
      context: '/',
      settings: { base_url: 'https://shop.example', auth: 'bearer' },
      secrets: { token: secret }
    }
    const made = await service.post('/api/v1/connections', connection)
    assert.equal(made.status, 201, made.text)
    const flow = await service.createFlow({
      name: 'Asks',
      nodes: [{ id: 'api-1', type: 'api-request', fields: { connection: 'shop', url: '/' } }],
      edges: []
    })
    const { outputs } = await pinned(service, flow, 'api-1', { body: { said: `Bearer ${secret}` } })
    assert.ok(!JSON.stringify(outputs).includes(secret))
    assert.ok(!JSON.stringify(await pinsOf(service, flow)).includes(secret))
  })

  it('is for who may write the flow, where it lives', async () => {
    const service = await shared()
    await makeContext(service, '/sales')
    const flow = await service.createFlow(ordersFlow({ context: '/sales' }))
    const reader = await service.createKey({ rights: ['read', 'trigger'] })
    problemOf(await pin(service, flow, 'parser-1', {}, reader.key), 403, 'forbidden')
    const sales = await service.createKey({ rights: ['read', 'write'], context: '/sales' })
    assert.equal((await pin(service, flow, 'parser-1', {}, sales.key)).status, 200)
    await saveDraft(service, flow, { context: '/' })
    problemOf(await pin(service, flow, 'parser-1', {}, sales.key), 403, 'forbidden')
  })
})

describe('a test up to a node', () => {
  it('runs the node and what leads to it, and skips the rest', async () => {
    const service = await shared()
    const flow = await service.createFlow(ordersFlow())
    const run = await tested(service, flow, { input: ORDER, node: 'parser-1' })
    assert.deepEqual(
      run.steps.map(({ node, status }) => [node, status]),
      [
        ['webhook-1', 'succeeded'],
        ['parser-1', 'succeeded'],
        ['chat-output-1', 'skipped']
      ]
    )
    assert.deepEqual([run.status, run.messages], ['succeeded', []])
    const document = await service.get(`/api/v1/runs/${run.id}/document`)
    assert.ok(!document.text.includes('disabled'), 'the draft as it was is what it ran')
  })

  it('is not kept by what is half done behind the node, but by what leads to it', async () => {
    const service = await shared()
    const flow = await service.createFlow(ordersFlow())
    const [webhook, parser, chat] = flow.nodes
    const half = [
      { ...chat, type: 'no-such-type' },
      { id: 'prompt-1', type: 'prompt', fields: { template: '{' } }
    ]
    const edges = [...flow.edges, { from: 'parser-1.parsed_text', to: 'prompt-1.text' }]
    await saveDraft(service, flow, { nodes: [...half, webhook, parser], edges })
    const run = await tested(service, flow, { input: ORDER, node: 'parser-1' })
    assert.equal(stepOf(run, 'parser-1').outputs?.parsed_text, 'Order 7 from Ann')
    const path = `/api/v1/flows/${flow.id}/test`
    const { errors = [] } = problemOf(await service.post(path, { node: 'prompt-1' }), 422, 'flow_invalid')
    assert.deepEqual([...new Set(errors.map(({ node }) => node))], ['prompt-1'])
  })

  it('takes what a node of a region reads there by name alone', async () => {
    const service = await shared()
    const { nodes, edges } = ordersFlow()
    const fields = { template: '{$nodes.parser-1.parsed_text}: {sku}' }
    const inside = [
      { id: 'line-1', type: 'parser', parent: 'lines', fields },
      { id: 'chat-1', type: 'chat-output', parent: 'lines', fields: {} }
    ]
    const wires = [
      ['webhook-1.data', 'lines.items'],
      ['lines.item', 'line-1.data'],
      ['parser-1.parsed_text', 'chat-1.text']
    ].map(([from, to]) => ({ from, to }))
    const flow = await service.createFlow(
      ordersFlow({
        nodes: [...nodes, { id: 'lines', type: 'for-each', fields: { list: 'lines' } }, ...inside],
        edges: [...edges, ...wires]
      })
    )
    const input = { ...ORDER, lines: [{ sku: 'A-1' }] }
    const lineOf = async () => {
      const run = await tested(service, flow, { input, node: 'line-1' })
      const items = await service.get(`/api/v1/runs?parent=${run.id}&steps=true`)
      const [item] = items.json<{ runs: RunBody[] }>().runs
      return stepOf(item!, 'line-1').outputs?.parsed_text
    }
    assert.equal(await lineOf(), 'Order 7 from Ann: A-1')
    const [half] = [{ id: 'prompt-1', type: 'prompt', fields: { template: '{' } }]
    const loose = { from: 'line-1.parsed_text', to: 'prompt-1.text' }
    await saveDraft(service, flow, { nodes: [...flow.nodes, half], edges: [...flow.edges, loose] })
    assert.equal(await lineOf(), 'Order 7 from Ann: A-1')
  })

  it('is refused where there is no such node, or "node" is none', async () => {
    const service = await shared()
    const flow = await service.createFlow(ordersFlow())
    const path = `/api/v1/flows/${flow.id}/test`
    const { detail } = problemOf(await service.post(path, { node: 'parser-2' }), 404, 'node_not_found')
    assert.match(detail, /Did you mean "parser-1"/)
    problemOf(await service.post(path, { node: 7 }), 422, 'invalid_request')
  })
})
