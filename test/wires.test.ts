import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FlowBody, RunBody } from './support/api-client.ts'
import { chatFlow, ORDER, ordersFlow } from './support/documents.ts'
import { type Service, startService } from './support/service.ts'

type Node = Readonly<Record<string, unknown>>

function statuses(run: RunBody): Record<string, string> {
  return Object.fromEntries(run.steps.map((step) => [step.node, step.status]))
}

async function runByApi(service: Service, flow: FlowBody, input: unknown): Promise<RunBody> {
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
    const service = await startService(t)
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
    const service = await startService(t)
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

  it('still names its fields and their kinds right, as a program writes them', async (t) => {
    const service = await startService(t)
    const stray = { id: 'parser-2', type: 'parser', fields: { mode: 'Shout', tempalte: '' } }
    const answer = await service.post('/api/v1/flows', ordersFlow({ nodes: [...ordersFlow().nodes, stray] }))
    assert.deepEqual([answer.status, answer.json<{ errors: object[] }>().errors.length], [422, 2])
  })

  it('runs by API, with all others, where the flow has no trigger at all', async (t) => {
    const service = await startService(t)
    const nodes = ['a', 'b'].map((id) => ({ id, type: 'prompt', fields: { template: `This is ${id}` } }))
    const flow = await service.createFlow({ name: 'Two', nodes, edges: [] })
    assert.deepEqual(statuses(await runByApi(service, flow, null)), { a: 'succeeded', b: 'succeeded' })
    assert.equal(flow.warnings, undefined)
  })
})

describe('a run by API', () => {
  it('starts at the Webhook, else at the Chat Input, with its input as their data', async (t) => {
    const service = await startService(t)
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
