import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunBody } from './support/api-client.ts'
import { cleanUp } from './support/clean-up.ts'
import { eventually } from './support/eventually.ts'
import { startMcpServer } from './support/mcp-server.ts'
import { startModelStage } from './support/model-provider/model-stage.ts'

const SAYS: readonly [name: string, annotations: unknown, asks: boolean][] = [
  ['reads', { readOnlyHint: true }, false],
  ['reads_and_destroys', { readOnlyHint: true, destructiveHint: true }, true],
  ['adds', { readOnlyHint: false, destructiveHint: false }, true],
  ['adds_and_says_no_more', { destructiveHint: false }, true],
  ['says_nothing', undefined, true],
  ['says_nonsense', 'readOnlyHint', true],
  ['says_it_in_words', { readOnlyHint: 'true' }, true]
]

interface Approvals {
  readonly approvals: readonly { readonly id: string; readonly question: string }[]
}

test('A person is asked before each tool of a server that does not say of it that it only reads', async (t) => {
  const { service, provider } = await startModelStage(t)
  const tools = SAYS.map(([name, annotations]) => ({
    name,
    description: name,
    inputSchema: { type: 'object' },
    annotations
  }))
  const server = await startMcpServer({ tools, call: () => ({ content: [{ type: 'text', text: 'done' }] }) })
  cleanUp(t, () => server.stop())
  const { url, token } = server
  await service.post('/api/v1/connections', {
    name: 'office',
    kind: 'mcp',
    settings: { url },
    secrets: { token }
  })
  const { slug } = await service.createFlow({
    name: 'Office',
    nodes: [
      { id: 'webhook-1', type: 'webhook' },
      { id: 'tools-1', type: 'mcp-tools', fields: { connection: 'office' } },
      {
        id: 'agent-1',
        type: 'agent',
        fields: { connection: 'openai-compatible', model: 'large', prompt: 'Work.' },
        retry: { attempts: 1 }
      }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'agent-1.data' },
      { from: 'tools-1.tools', to: 'agent-1.tools' }
    ]
  })

  provider.answer({ pieces: ['I look first.'] })
  const looked = (await service.post(`/api/v1/run/${slug}`, { input: {} })).json<RunBody>()
  const offered = looked.steps.find(({ node }) => node === 'tools-1')!.outputs!.tools
  assert.deepEqual(
    (offered as { name: string; ask_first?: boolean }[]).map(({ name, ask_first }) => [
      name,
      ask_first === true
    ]),
    SAYS.map(([name, , asks]) => [name, asks])
  )

  provider.answer({
    calls: ['reads', 'says_nothing'].map((name, at) => ({ id: `c${at}`, name, arguments: { at } }))
  })
  const id = await service.start(slug, {})
  const [question] = await eventually(
    async () => (await service.get('/api/v1/approvals?status=open')).json<Approvals>().approvals,
    ({ length }) => length > 0
  )
  assert.match(question!.question, /says_nothing/)
  const called = () =>
    server.asked.filter(({ method }) => method === 'tools/call').map(({ params }) => params!.name)
  assert.deepEqual(called(), ['reads'])

  provider.answer({ pieces: ['Done.'] })
  await service.post(`/api/v1/approvals/${question!.id}`, { choice: 'Approve' })
  assert.equal((await service.waitForRun(id)).status, 'succeeded')
  assert.deepEqual(called(), ['reads', 'says_nothing'])
})
