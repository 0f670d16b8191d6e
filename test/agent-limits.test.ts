import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunBody } from './support/api-client.ts'
import { childrenOf } from './support/child-flows.ts'
import { cleanUp } from './support/clean-up.ts'
import { eventually } from './support/eventually.ts'
import { type Answer, startMisbehavingServer } from './support/misbehaving-server.ts'
import { KINDS, startModelStage } from './support/model-provider/model-stage.ts'
import { pets } from './support/pets-api.ts'

interface Call {
  readonly tool: string
  readonly arguments: unknown
  readonly status: string
  readonly result?: unknown
  readonly error?: { readonly code: string; readonly message: string }
}

const call = (id: string, name: string, given: unknown) => ({ id, name, arguments: given })

/** Webhook → Agent, with tools that are wired to it. */
function agentFlow(
  tools: readonly { readonly id: string; readonly [member: string]: unknown }[],
  {
    fields = {},
    ...node
  }: { readonly fields?: object; readonly timeout_ms?: number; readonly on_error?: 'output' } = {}
) {
  return {
    name: 'Agent',
    nodes: [
      { id: 'webhook-1', type: 'webhook' },
      {
        id: 'agent-1',
        type: 'agent',
        fields: { connection: 'openai-compatible', model: 'large', prompt: '{question}', ...fields },
        retry: { attempts: 1 },
        ...node
      },
      ...tools
    ],
    edges: [
      { from: 'webhook-1.data', to: 'agent-1.data' },
      ...tools.map(({ id }) => ({ from: `${id}.tools`, to: 'agent-1.tools' }))
    ]
  }
}

const NOTE = {
  id: 'note',
  type: 'transform',
  fields: { expression: '$length(text)' },
  tool: {
    name: 'note',
    arguments: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }
  }
}

test('The bounds of an agent', async (t) => {
  const { service, provider } = await startModelStage(t)
  const json: Answer = (response, { method, body }) =>
    void response.setHeader('content-type', 'application/json').end(JSON.stringify({ method, body }))
  const shop = await startMisbehavingServer({ answers: { '/owners/7/pets': json, '/order': json } })
  cleanUp(t, () => shop.stop())
  const made = await service.post('/api/v1/connections', {
    name: 'shop',
    kind: 'http',
    settings: { base_url: shop.origin }
  })
  const document = `/api/v1/connections/${made.json<{ id: string }>().id}/document`
  assert.equal((await service.request('PUT', document, { body: pets() })).status, 200)
  const sentTo = (path: string) => shop.requests.filter((request) => request.path === path)

  async function ask(flow: ReturnType<typeof agentFlow>) {
    const { slug } = await service.createFlow(flow)
    const answer = await service.post(`/api/v1/run/${slug}`, { input: { question: 'Well?' } })
    assert.equal(answer.status, 200, answer.text)
    const run = answer.json<RunBody>()
    const outputs = run.steps.find(({ node }) => node === 'agent-1')!.outputs as
      | { readonly text: string; readonly steps: readonly { readonly calls: readonly Call[] }[] }
      | undefined
    return { run, outputs, calls: outputs?.steps.flatMap(({ calls }) => calls) ?? [] }
  }

  for (const kind of KINDS)
    await t.test(`arguments that are too long are told to the model of ${kind}, and it goes on`, async () => {
      const before = provider.calls.length
      const long = 'x'.repeat(40_000)
      provider.answer(
        { calls: [call('c1', 'note', { text: 'short' }), call('c2', 'note', { text: long })] },
        { calls: [call('c3', 'note', { text: 'y'.repeat(20_000) })] },
        { pieces: ['Noted.'] }
      )
      const { run, outputs, calls } = await ask(agentFlow([NOTE], { fields: { connection: kind } }))
      assert.equal(run.status, 'succeeded', JSON.stringify(run.error))
      assert.equal(outputs!.text, 'Noted.')
      // Chat Completions tell at the end alone which calls are whole.
      const isToldLate = kind === 'openai-compatible'
      const [cut, ...others] = calls.toSorted((one, other) => one.status.localeCompare(other.status))
      assert.deepEqual(
        others.map(({ status, result }) => [status, result]),
        [...(isToldLate ? [] : [['succeeded', 5]]), ['succeeded', 20_000]]
      )
      assert.equal(cut!.error!.code, 'tool_arguments_invalid')
      assert.match(cut!.error!.message, /more than 32 kB.*in parts/)
      assert.match(String(cut!.arguments), /^\{"text":"x{32750}/)
      const told = JSON.stringify(provider.calls[before + 1]!.body)
      assert.match(told, /more than 32 kB/)
      assert.ok(!told.includes('xxxx'), 'what was too long is not sent back')
    })

  await t.test('numbers of many digits reach a tool as the model wrote them', async () => {
    const tool = {
      id: 'find',
      type: 'parser',
      fields: { template: 'order {order}' },
      tool: { arguments: { type: 'object', properties: { order: { type: 'integer' } } } }
    }
    provider.answer({ calls: [call('c1', 'find', '{"order":12345678901234567890}')] }, { pieces: ['Found.'] })
    const { calls } = await ask(agentFlow([tool]))
    assert.equal(calls[0]!.result, 'order 12345678901234567890')
  })

  const openApprovals = async () => {
    const answer = await service.get('/api/v1/approvals?status=open')
    return answer.json<{ approvals: readonly { id: string; question: string; run_id: string }[] }>().approvals
  }

  await t.test(
    'operations of an API are tools: one that reads is called, one that writes asks first',
    async () => {
      const before = provider.calls.length
      const operation = (id: string, fields: object) => ({
        id,
        type: 'api-operation',
        fields: { connection: 'shop', ...fields },
        tool: { name: id }
      })
      const tools = [
        operation('list-pets', {
          operation: 'GET /owners/{owner}/pets',
          parameters: { owner: '{owner}', limit: '{limit?}' }
        }),
        operation('add-pet', {
          operation: 'addPet',
          parameters: { owner: '{owner}' },
          body: { name: '{name}', age: '{age?}' }
        })
      ]
      provider.answer(
        {
          calls: [
            call('c1', 'list-pets', { owner: '7', limit: '2' }),
            call('c2', 'list-pets', { limit: '2' })
          ]
        },
        { calls: [call('c3', 'add-pet', { owner: '7', name: 'Rex', age: '3' })] },
        { pieces: ['Added.'] }
      )
      const { slug } = await service.createFlow(agentFlow(tools))
      const id = await service.start(slug, { question: 'Add Rex' })
      const [question] = await eventually(openApprovals, ({ length }) => length === 1)
      assert.match(question!.question, /add-pet with:\s+\{[\s\S]*"name": "Rex"/)
      assert.deepEqual(
        sentTo('/owners/7/pets').map(({ method, query }) => [method, query.get('limit')]),
        [['GET', '2']]
      )
      await service.post(`/api/v1/approvals/${question!.id}`, { choice: 'Approve' })
      const run = await service.waitForRun(id)
      assert.equal(run.status, 'succeeded', JSON.stringify(run.error))
      const [, sent] = sentTo('/owners/7/pets')
      assert.deepEqual([sent!.method, sent!.body], ['POST', '{"name":"Rex","age":3}'])
      const offered = provider.calls[before]!.body.tools as readonly {
        readonly function: { readonly parameters: { readonly required?: readonly string[] } }
      }[]
      assert.deepEqual(
        offered.map((tool) => tool.function.parameters.required),
        [['owner'], ['owner', 'name']]
      )
      const { steps } = run.steps.find(({ node }) => node === 'agent-1')!.outputs as unknown as {
        readonly steps: readonly { readonly calls: readonly Call[] }[]
      }
      assert.equal(steps[0]!.calls[1]!.error!.code, 'tool_arguments_invalid')
    }
  )

  await t.test('calls that wait end with an agent that runs out of time, and act no more', async () => {
    const order = { connection: 'shop', url: '/order', method: 'POST' }
    const later = await service.createFlow({
      name: 'Later',
      nodes: [
        { id: 'w', type: 'webhook' },
        { id: 'd', type: 'delay', fields: { for: '4s' } },
        { id: 'order', type: 'api-request', fields: order }
      ],
      edges: [
        { from: 'w.data', to: 'd.data' },
        { from: 'd.data', to: 'order.data' }
      ]
    })
    const tools = [
      { id: 'later', type: 'run-flow', fields: { flow: later.slug } },
      { id: 'order', type: 'api-request', fields: order, tool: { ask_first: true } },
      { id: 'pause', type: 'delay', fields: { for: '4s' }, tool: {} },
      { id: 'hang', type: 'api-request', fields: { connection: 'shop', url: '/slow' }, tool: {} }
    ]
    const calls = ['later', 'order', 'pause', 'hang'].map((name) => call(name, name, {}))
    provider.answer({ calls })
    const { slug } = await service.createFlow(agentFlow(tools, { timeout_ms: 2_500 }))
    const id = await service.start(slug, { question: 'Order' })
    const [question] = await eventually(openApprovals, ({ length }) => length === 1)
    const run = await service.waitForRun(id)
    assert.deepEqual([run.status, run.error!.code], ['failed', 'agent_out_of_time'])
    const below = await eventually(
      () => childrenOf(service, id),
      (children) => children.every(({ status }) => !['queued', 'in progress', 'waiting'].includes(status))
    )
    const statuses = below.map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 'cancelled').length, 3, String(statuses))
    assert.deepEqual(await openApprovals(), [])
    const answer = await service.post(`/api/v1/approvals/${question!.id}`, { choice: 'Approve' })
    assert.equal(answer.status, 409, answer.text)
    assert.deepEqual(sentTo('/order'), [])
  })

  for (const [how, from] of [
    ['goes on after it', 'agent-1.error'],
    ['waits elsewhere', 'webhook-1.data']
  ])
    await t.test(`calls that wait end with the step of their agent where the run ${how}`, async () => {
      const tools = [
        {
          id: 'ask',
          type: 'api-request',
          fields: { connection: 'shop', url: '/order', method: 'POST' },
          tool: {}
        },
        { id: 'pause', type: 'delay', fields: { for: '2d' }, tool: {} },
        { id: 'hang', type: 'api-request', fields: { connection: 'shop', url: '/slow' }, tool: {} }
      ]
      provider.answer({ calls: ['ask', 'pause', 'hang'].map((name) => call(name, name, {})) })
      const flow = agentFlow(tools, { timeout_ms: 1_500, on_error: 'output' })
      const { slug } = await service.createFlow({
        ...flow,
        nodes: [...flow.nodes, { id: 'later', type: 'delay', fields: { for: '2d' } }],
        edges: [...flow.edges, { from: from!, to: 'later.data' }]
      })
      const id = await service.start(slug, { question: 'Order' })
      await eventually(openApprovals, ({ length }) => length === 1)
      await eventually(openApprovals, ({ length }) => length === 0)
      const below = await eventually(
        () => childrenOf(service, id),
        (children) => children.every(({ status }) => status === 'succeeded' || status === 'cancelled')
      )
      assert.equal(below.filter(({ status }) => status === 'cancelled').length, 2)
      assert.equal((await service.readRun(id)).status, 'waiting')
      await service.post(`/api/v1/runs/${id}/cancel`, {})
    })
})
