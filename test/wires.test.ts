import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ApiClient, type FlowBody, problemOf, type RunBody } from './support/api-client.ts'
import { chatFlow, ORDER, ordersFlow } from './support/documents.ts'
import { startOutside } from './support/outside.ts'
import { serviceOfFile, startService } from './support/service.ts'

type Node = Readonly<Record<string, unknown>>

const shared = serviceOfFile()

function statuses(run: RunBody): Record<string, string> {
  return Object.fromEntries(run.steps.map((step) => [step.node, step.status]))
}

async function runByApi(service: ApiClient, flow: FlowBody, input: unknown): Promise<RunBody> {
  const answer = await service.post(`/api/v1/run/${flow.id}`, { input })
  assert.equal(answer.status, 200, answer.text)
  return answer.json<RunBody>()
}

/** Nodes as they are dropped on the canvas: nothing is filled in, nothing is wired. */
const DROPPED: readonly Node[] = [
  { id: 'chat-output-2', type: 'chat-output' },
  { id: 'parser-2', type: 'parser', fields: { template: '{customer.na' } },
  { id: 'language-model-1', type: 'language-model' },
  { id: 'api-request-1', type: 'api-request' },
  { id: 'sql-1', type: 'sql' }
]

describe('a node that is not wired', () => {
  const withDropped = () => ordersFlow({ nodes: [...ordersFlow().nodes, ...DROPPED] })

  it('is skipped, and fails neither a save nor a run', async (t) => {
    const service = await shared(t)
    const flow = await service.saveFlow(await service.createFlow(ordersFlow()), {
      nodes: withDropped().nodes
    })
    for (const run of [
      await service.run(flow.slug, JSON.stringify(ORDER)),
      await runByApi(service, flow, ORDER)
    ]) {
      assert.equal(run.status, 'succeeded', JSON.stringify(run.error))
      const { 'webhook-1': first, 'parser-1': second, 'chat-output-1': third, ...dropped } = statuses(run)
      assert.deepEqual([first, second, third], ['succeeded', 'succeeded', 'succeeded'])
      assert.deepEqual(dropped, Object.fromEntries(DROPPED.map(({ id }) => [id, 'skipped'])))
    }
  })

  it('is told of in the answers with the flow, and such a flow can be sent back as it is', async (t) => {
    const service = await shared(t)
    const made = await service.createFlow(withDropped())
    const read = (await service.get(`/api/v1/flows/${made.id}`)).json<FlowBody>()
    const saved = await service.saveFlow(read, {})
    for (const { warnings = [] } of [made, read, saved]) {
      assert.deepEqual(
        warnings.map(({ code, path, node }) => [code, path, node]),
        DROPPED.map(({ id }, index) => ['not_wired', `/nodes/${index + 3}`, id])
      )
      assert.match(warnings[0]!.message, /chat-output-2.*not wired.*Wire it, or remove it/)
    }
    assert.equal('warnings' in (await service.saveFlow(saved, { nodes: ordersFlow().nodes })), false)
  })

  it('is told of in the draft, and keeps nobody from publishing', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    const body = { ...flow, nodes: withDropped().nodes }
    const draft = await service.request('PUT', `/api/v1/flows/${flow.id}/draft`, { body })
    const { errors, warnings } = draft.json<{
      errors: object[]
      warnings: { code: string; node: string }[]
    }>()
    assert.deepEqual(errors, [])
    assert.deepEqual(
      warnings.map(({ code, node }) => [code, node]),
      DROPPED.map(({ id }) => ['not_wired', id])
    )
    const published = await service.post(`/api/v1/flows/${flow.id}/publish`, {})
    assert.equal(published.status, 200, published.text)
    assert.equal((await service.run(flow.slug, JSON.stringify(ORDER))).status, 'succeeded')
  })

  it('still names its fields and their kinds right, as a program writes them', async (t) => {
    const service = await shared(t)
    const stray = { id: 'parser-2', type: 'parser', fields: { mode: 'Shout', tempalte: '' } }
    const answer = await service.post('/api/v1/flows', ordersFlow({ nodes: [...ordersFlow().nodes, stray] }))
    assert.deepEqual([answer.status, answer.json<{ errors: object[] }>().errors.length], [422, 2])
  })

  it('runs by API, with all others, where the flow has no trigger at all', async (t) => {
    const service = await shared(t)
    const nodes = ['a', 'b'].map((id) => ({ id, type: 'prompt', fields: { template: `This is ${id}` } }))
    const flow = await service.createFlow({ name: 'Two', nodes, edges: [] })
    assert.deepEqual(statuses(await runByApi(service, flow, null)), { a: 'succeeded', b: 'succeeded' })
    assert.equal(flow.warnings, undefined)
  })
})

describe('a run by API', () => {
  it('starts at the Webhook, else at the Chat Input, with its input as their data', async (t) => {
    const service = await shared(t)
    const chat = await service.createFlow(chatFlow())
    const { nodes, edges } = ordersFlow()
    const both = await service.createFlow({
      name: 'Both',
      nodes: [{ id: 'chat-input-1', type: 'chat-input' }, ...nodes],
      edges
    })
    const byChat = await runByApi(service, chat, 'Hello')
    assert.equal(byChat.steps[0]!.outputs!.message, 'Hello')
    const byWebhook = await runByApi(service, both, ORDER)
    assert.equal(statuses(byWebhook)['chat-input-1'], 'skipped')
    assert.deepEqual(byWebhook.steps.find(({ node }) => node === 'webhook-1')!.outputs!.data, ORDER)
  })
})

describe('a branch', () => {
  //  Webhook ─ Fork ┬ left ── Parser ┬ Chat Output: two wires to its one input
  //                 └ right ─ Prompt ┘
  const forked = {
    name: 'Forked',
    nodes: [
      { id: 'webhook-1', type: 'webhook' },
      { id: 'fork-1', type: 'fork' },
      { id: 'parser-1', type: 'parser', fields: { template: 'left {n}' } },
      { id: 'prompt-1', type: 'prompt', fields: { template: 'right {data.n}' } },
      { id: 'chat-output-1', type: 'chat-output' }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'fork-1.data' },
      { from: 'fork-1.left', to: 'parser-1.data' },
      { from: 'fork-1.right', to: 'prompt-1.data' },
      { from: 'parser-1.parsed_text', to: 'chat-output-1.text' },
      { from: 'prompt-1.prompt', to: 'chat-output-1.text' }
    ]
  }

  it('is taken where its wire carries a value, and skipped where its output is silent', async (t) => {
    const service = await startService(t, { plugins: ['fork.ts'] })
    const flow = await service.createFlow(forked)
    const told = async (payload: object) => {
      const run = await service.run(flow.slug, JSON.stringify(payload))
      assert.equal(run.status, 'succeeded')
      const { 'parser-1': left, 'prompt-1': right, 'chat-output-1': end } = statuses(run)
      return [left, right, end, run.messages[0]?.text]
    }
    assert.deepEqual(await told({ way: 'left', n: 1 }), ['succeeded', 'skipped', 'succeeded', 'left 1'])
    assert.deepEqual(await told({ way: 'right', n: 2 }), ['skipped', 'succeeded', 'succeeded', 'right 2'])
    assert.deepEqual(await told({ n: 3 }), ['skipped', 'skipped', 'skipped', undefined])
  })
})

describe('a node that leads its errors on', () => {
  //  Webhook ─ Call ┬ data ── Parser
  //                 └ error ─ Prompt
  const flowWith = (url: string, call: Node) => ({
    name: 'Led on',
    nodes: [
      { id: 'webhook-1', type: 'webhook' },
      { id: 'call-1', type: 'call', fields: { url }, ...call },
      { id: 'parser-1', type: 'parser', fields: { mode: 'Stringify' } },
      { id: 'prompt-1', type: 'prompt', fields: { template: '{e.node}: {e.code} after {e.attempts}' } }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'call-1.data' },
      { from: 'call-1.data', to: 'parser-1.data' },
      ...('on_error' in call ? [{ from: 'call-1.error', to: 'prompt-1.e' }] : [])
    ]
  })

  it('fails, and the run goes on by its output "error" and succeeds', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    outside.answerAll(() => ({ status: 503 }))
    const retry = { attempts: 2, backoff_ms: 0 }
    const flow = await service.createFlow(flowWith(outside.url(), { on_error: 'output', retry }))
    const run = await service.run(flow.slug)
    assert.deepEqual([run.status, run.error], ['succeeded', null])
    assert.deepEqual(statuses(run), {
      'webhook-1': 'succeeded',
      'call-1': 'failed',
      'parser-1': 'skipped',
      'prompt-1': 'succeeded'
    })
    const [, call, , prompt] = run.steps
    assert.equal(call!.error!.code, 'call_refused')
    const { code, message, node, attempts } = call!.outputs!.error as Record<string, unknown>
    assert.deepEqual([code, node, attempts], ['call_refused', 'call-1', 2])
    assert.match(String(message), /answered 503/)
    assert.equal(prompt!.outputs!.prompt, 'call-1: call_refused after 2')
    const shown = await service.get(`/api/v1/flows/${flow.id}/nodes/call-1/output`)
    assert.deepEqual(shown.json<{ outputs: unknown }>().outputs, call!.outputs)
    problemOf(await service.post(`/api/v1/runs/${run.id}/retry`), 409, 'run_not_retryable')
  })

  it('succeeds as any other where nothing goes wrong, and fails the run where it says nothing', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    outside.answerAll(({ path }) => ({ status: path === '/good' ? 200 : 400 }))
    const good = await service.createFlow(flowWith(outside.url('/good'), { on_error: 'output' }))
    assert.equal(statuses(await service.run(good.slug))['prompt-1'], 'skipped')
    const plain = await service.createFlow(flowWith(outside.url('/bad'), {}))
    assert.deepEqual((await service.run(plain.slug)).error!.node, 'call-1')
  })
})

describe('a disabled node', () => {
  it('is not run, and what reaches it goes on by its first output', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const flow = await service.createFlow({
      name: 'Passed by',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'call-1', type: 'call', fields: { url: outside.url() }, disabled: true },
        { id: 'parser-1', type: 'parser', fields: { template: 'Order {order_id}' } },
        { id: 'parser-2', type: 'parser', fields: { template: '{' }, disabled: true },
        { id: 'chat-output-1', type: 'chat-output' }
      ],
      edges: [
        { from: 'webhook-1.data', to: 'call-1.data' },
        { from: 'call-1.data', to: 'parser-1.data' },
        { from: 'webhook-1.data', to: 'parser-2.data' },
        { from: 'parser-2.parsed_text', to: 'chat-output-1.text' }
      ]
    })
    const run = await service.run(flow.slug, JSON.stringify(ORDER))
    assert.equal(run.status, 'succeeded')
    assert.deepEqual(statuses(run), {
      'webhook-1': 'succeeded',
      'call-1': 'succeeded',
      'parser-2': 'skipped',
      'parser-1': 'succeeded',
      'chat-output-1': 'skipped'
    })
    const call = run.steps.find(({ node }) => node === 'call-1')!
    assert.deepEqual([call.attempts, call.outputs], [0, { data: ORDER }])
    assert.equal(outside.calls.length, 0)
  })

  it('that is the Webhook closes the endpoint, and the rest of the flow goes on', async (t) => {
    const service = await shared(t)
    const { nodes, edges } = chatFlow()
    const flow = await service.createFlow({
      name: 'Closed',
      nodes: [{ id: 'webhook-1', type: 'webhook', disabled: true }, ...nodes],
      edges: [...edges, { from: 'webhook-1.data', to: 'prompt-1.text' }]
    })
    problemOf(await service.webhook(flow.slug), 409, 'flow_without_webhook')
    const run = await runByApi(service, flow, 'Hello')
    assert.equal(statuses(run)['webhook-1'], 'skipped')
    assert.equal(run.status, 'succeeded')
  })
})
