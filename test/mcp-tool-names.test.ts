import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunBody } from './support/api-client.ts'
import { cleanUp } from './support/clean-up.ts'
import { startMcpServer } from './support/mcp-server.ts'
import { startModelStage } from './support/model-provider/model-stage.ts'

const LONG = `search_${'documents_of_the_archive_'.repeat(3)}`
/** Each is like the one before it where it is made plain for a model, or cut. */
const NAMES = ['notes.read', 'notes/read', `${LONG}1`, `${LONG}2`, 'été', 'été'.normalize('NFD')]

test('tools of a server whose names no model takes are each called by their own', async (t) => {
  const { service, provider } = await startModelStage(t)
  const tools = NAMES.map((name) => ({
    name,
    description: name,
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true }
  }))
  const server = await startMcpServer({ tools, call: () => ({ content: [{ type: 'text', text: 'done' }] }) })
  cleanUp(t, () => server.stop())
  const { url, token } = server
  await service.post('/api/v1/connections', {
    name: 'notes',
    kind: 'mcp',
    settings: { url },
    secrets: { token }
  })
  const flow = (chosen: readonly string[]) => ({
    name: 'Notes',
    nodes: [
      { id: 'webhook-1', type: 'webhook' },
      { id: 'tools-1', type: 'mcp-tools', fields: { connection: 'notes', tools: chosen } },
      {
        id: 'agent-1',
        type: 'agent',
        fields: { connection: 'openai-compatible', model: 'large', prompt: 'Read.' },
        retry: { attempts: 1 }
      }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'agent-1.data' },
      { from: 'tools-1.tools', to: 'agent-1.tools' }
    ]
  })

  /** Calls all tools that are offered, in their order. */
  async function calledBy(chosen: readonly string[]): Promise<string[]> {
    const { slug } = await service.createFlow(flow(chosen))
    const ask = async () => (await service.post(`/api/v1/run/${slug}`, { input: {} })).json<RunBody>()
    provider.answer({ pieces: ['I look first.'] })
    const looked = await ask()
    const offered = looked.steps.find(({ node }) => node === 'tools-1')!.outputs!.tools as { name: string }[]
    for (const { name } of offered) assert.match(name, /^[A-Za-z0-9_-]{1,64}$/)
    const before = server.asked.length
    const calls = offered.map(({ name }, at) => ({ id: `c${at}`, name, arguments: {} }))
    provider.answer(...calls.map((call) => ({ calls: [call] })), { pieces: ['Done.'] })
    assert.equal((await ask()).status, 'succeeded')
    const asked = server.asked.slice(before).filter(({ method }) => method === 'tools/call')
    return asked.map(({ params }) => params!.name!)
  }

  assert.deepEqual(await calledBy([]), NAMES)
  assert.deepEqual(await calledBy(['notes/read', `${LONG}2`]), ['notes/read', `${LONG}2`])
})
