import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import type { RunBody } from './support/api-client.ts'
import { cleanUp } from './support/clean-up.ts'
import { type McpServer, startMcpServer } from './support/mcp-server.ts'
import { startMisbehavingServer } from './support/misbehaving-server.ts'
import { startModelStage } from './support/model-provider/model-stage.ts'

const ADD = {
  name: 'add',
  // Signs that nobody sees, and that models read, are not told.
  description: 'Adds two num\u{e0072}\u202e\u0000bers.',
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b']
  }
}
const WIPE = { name: 'wipe.all', description: 'Wipes all.', inputSchema: { type: 'object' } }

const WIPE_TOLD = 'wipe_all_e7c98fec_x'

test('A server of tools', async (t) => {
  const { service, provider } = await startModelStage(t)

  async function connect(name: string, server: Pick<McpServer, 'url' | 'token'>) {
    const body = { name, kind: 'mcp', settings: { url: server.url }, secrets: { token: server.token } }
    assert.equal((await service.post('/api/v1/connections', body)).status, 201)
  }

  async function start(options: Parameters<typeof startMcpServer>[0]): Promise<McpServer> {
    const server = await startMcpServer(options)
    cleanUp(t, () => server.stop())
    return server
  }

  async function call(connection: string, fields: object, input: unknown) {
    const flow = await service.createFlow({
      name: 'Call',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'call', type: 'mcp-call', fields: { connection, ...fields } }
      ],
      edges: [{ from: 'webhook-1.data', to: 'call.data' }]
    })
    const answer = await service.post(`/api/v1/run/${flow.slug}`, { input })
    const run = answer.json<RunBody>()
    return { run, outputs: run.steps.find(({ node }) => node === 'call')!.outputs }
  }

  for (const speaks of ['json', 'events'] as const) {
    await t.test(`is called in a session, and answers as ${speaks}`, async () => {
      const server = await start({
        speaks,
        tools: [ADD],
        call: ({ a, b }) => ({ content: [{ type: 'text', text: String(Number(a) + Number(b)) }] })
      })
      await connect(`by ${speaks}`, server)
      const fields = { tool: 'add', arguments: { a: '{one}', b: 2 } }
      const { run, outputs } = await call(`by ${speaks}`, fields, { one: 40 })
      assert.equal(run.status, 'succeeded', JSON.stringify(run.error))
      assert.deepEqual(outputs, { data: 42, text: '42' })
      assert.deepEqual(
        server.asked.map(({ method }) => method),
        ['server/discover', 'initialize', 'notifications/initialized', 'tools/call']
      )
      server.forget()
      assert.deepEqual((await call(`by ${speaks}`, fields, { one: 1 })).outputs, { data: 3, text: '3' })
    })
  }

  await t.test('is called without a handshake where it knows none, and asked how once', async () => {
    const server = await start({
      isStateless: true,
      speaks: 'events',
      tools: [ADD, { ...ADD, name: 'größer als' }],
      call: ({ a }) =>
        a === 0
          ? { resultType: 'input_required', inputRequests: {} }
          : { resultType: 'complete', content: [{ type: 'text', text: String(a) }] }
    })
    await connect('stateless', server)
    const given = { tool: 'add', arguments: { a: '{a}' } }
    for (const a of [1, 2]) assert.deepEqual((await call('stateless', given, { a })).outputs!.data, a)
    assert.deepEqual(
      server.asked.map(({ method }) => method),
      ['server/discover', 'tools/call', 'tools/call']
    )
    const back = await call('stateless', given, { a: 0 })
    assert.equal(back.run.error!.code, 'mcp_asks_back')
    const encoded = await call('stateless', { ...given, tool: 'größer als' }, { a: 1 })
    assert.match(encoded.run.error!.message, /The headers say otherwise/)
    assert.equal(server.asked.at(-1)!.headers['mcp-name'], '=?base64?Z3LDtsOfZXIgYWxz?=')
  })

  await t.test('is signed in to by OAuth, with a token that is for it alone', async () => {
    const server = await start({
      isStateless: true,
      tools: [ADD],
      call: () => ({ content: [{ type: 'text', text: '3' }] })
    })
    const provider = await startMisbehavingServer({
      answers: {
        '/token': (response) =>
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ access_token: server.token, token_type: 'Bearer' }))
      }
    })
    cleanUp(t, () => provider.stop())
    const token_url = `${provider.origin}/token`
    const made = await service.post('/api/v1/connections', {
      name: 'signed in',
      kind: 'mcp',
      settings: { url: server.url, auth: 'oauth2', token_url, client_id: 'millrace' },
      secrets: { client_secret: 'client-secret-0123456789' }
    })
    assert.equal(made.status, 201, made.text)
    assert.equal((await call('signed in', { tool: 'add' }, {})).outputs!.text, '3')
    assert.equal(new URLSearchParams(provider.requests[0]!.body).get('resource'), server.url)
    const { id } = made.json<{ id: string }>()
    const tried = await service.post(`/api/v1/connections/${id}/test`)
    assert.match(tried.text, /did not refuse the token/)
  })

  await t.test('may be Millrace itself', async () => {
    const tool = await service.createFlow({
      name: 'Double',
      nodes: [
        { id: 'w', type: 'webhook' },
        { id: 't', type: 'transform', fields: { expression: '{"twice": n * 2}' } },
        { id: 'r', type: 'return' }
      ],
      edges: [
        { from: 'w.data', to: 't.data' },
        { from: 't.data', to: 'r.data' }
      ]
    })
    await connect('myself', { url: `${service.address}/api/v1/mcp`, token: service.key })
    const { outputs } = await call('myself', { tool: tool.slug, arguments: { n: '{n}' } }, { n: 21 })
    assert.deepEqual(outputs!.data, { twice: 42 })
  })

  await t.test('gives data where it has some, and fails in its own words', async () => {
    const server = await start({
      tools: [ADD],
      call: ({ a }) =>
        a === 1
          ? { content: [{ type: 'text', text: 'One.' }], structuredContent: { one: true } }
          : { content: [{ type: 'text', text: 'Too many.' }], isError: true }
    })
    await connect('counts', server)
    const fields = (a: number) => ({ tool: 'add', arguments: { a } })
    assert.deepEqual((await call('counts', fields(1), {})).outputs, { data: { one: true }, text: 'One.' })
    const { run } = await call('counts', fields(2), {})
    assert.equal(run.error!.code, 'mcp_tool_failed')
    assert.match(run.error!.message, /Too many\./)
    const gone = await call('counts', { tool: 'subtract' }, {})
    assert.equal(gone.run.error!.code, 'mcp_refused')
    assert.match(gone.run.error!.message, /Unknown tool/)
  })

  await t.test('is refused, too long or no server of tools at all: the run says which', async () => {
    const filler = 'x'.repeat(64 * 1024)
    const endless = (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"jsonrpc":"2.0","id":2,"result":"')
      const more = () => {
        while (!response.destroyed && response.write(filler));
        response.once('drain', more)
      }
      more()
    }
    const nested = `{"jsonrpc":"2.0","id":2,"result":${'['.repeat(200_000)}`
    const rows: [answer: (response: ServerResponse) => void, code: string][] = [
      [endless, 'mcp_answer_too_large'],
      [
        (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(nested),
        'mcp_answer_invalid'
      ],
      [
        (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
        'mcp_answer_invalid'
      ],
      [
        (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': hi\n\n'),
        'mcp_broken_off'
      ],
      [
        (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}'),
        'mcp_answer_invalid'
      ],
      [(response) => response.writeHead(401).end(), 'mcp_token_refused'],
      [(response) => response.writeHead(500).end(), 'mcp_failed']
    ]
    for (const [at, [answer, code]] of rows.entries()) {
      const server = await start({ tools: [ADD], call: () => ({}), answer })
      await connect(`bad ${at}`, server)
      const { run } = await call(`bad ${at}`, { tool: 'add' }, {})
      assert.equal(run.error?.code, code, JSON.stringify(run.error))
    }
  })

  await t.test(
    'offers its tools to an agent, by names that models take, and asks first where it says so',
    async () => {
      const server = await start({
        tools: [
          { ...ADD, annotations: { readOnlyHint: true } },
          { ...WIPE, annotations: { destructiveHint: true } }
        ],
        call: ({ a, b }) => ({ content: [{ type: 'text', text: `sum ${Number(a) + Number(b)}` }] })
      })
      await connect('office', server)
      const flowOf = (fields: object) => ({
        name: 'Office',
        nodes: [
          { id: 'webhook-1', type: 'webhook' },
          { id: 'tools-1', type: 'mcp-tools', fields: { connection: 'office', ...fields } },
          {
            id: 'agent-1',
            type: 'agent',
            fields: { connection: 'openai-compatible', model: 'large', prompt: 'Add.' },
            retry: { attempts: 1 }
          }
        ],
        edges: [
          { from: 'webhook-1.data', to: 'agent-1.data' },
          { from: 'tools-1.tools', to: 'agent-1.tools' }
        ]
      })
      const called = async (flow: Parameters<typeof service.createFlow>[0]) => {
        const { slug } = await service.createFlow(flow)
        const run = (await service.post(`/api/v1/run/${slug}`, { input: {} })).json<RunBody>()
        return run.steps.find(({ node }) => node === 'agent-1')!.outputs as {
          steps: [{ calls: [{ node: string }] }]
        }
      }
      const before = provider.calls.length
      provider.answer(
        { calls: [{ id: 'c1', name: 'add', arguments: { a: 1, b: 2 } }] },
        { pieces: ['Three.'] }
      )
      const flow = await service.createFlow(flowOf({}))
      const run = (await service.post(`/api/v1/run/${flow.slug}`, { input: {} })).json<RunBody>()
      assert.equal(run.status, 'succeeded', JSON.stringify(run.error))
      const [offered, agent] = ['tools-1', 'agent-1'].map(
        (id) => run.steps.find(({ node }) => node === id)!.outputs!
      )
      assert.deepEqual(
        (offered!.tools as { name: string; ask_first?: boolean }[]).map(({ name, ask_first }) => [
          name,
          ask_first
        ]),
        [
          ['add', undefined],
          [WIPE_TOLD, true]
        ]
      )
      const [{ calls }] = agent!.steps as [{ calls: { result: unknown }[] }]
      assert.equal(calls[0]!.result, 'sum 3')
      assert.match(JSON.stringify(provider.calls[before]!.body), /Adds two numbers/)

      // A server cannot take the place of a tool of the author.
      const own = { id: 'own', type: 'random-id', title: 'add', tool: { arguments: {} } }
      const both = flowOf({})
      provider.answer({ calls: [{ id: 'c1', name: 'add', arguments: {} }] }, { pieces: ['Done.'] })
      const { steps } = await called({
        ...both,
        nodes: [...both.nodes, own],
        edges: [...both.edges, { from: 'own.tools', to: 'agent-1.tools' }]
      })
      assert.equal(steps[0].calls[0].node, 'own')

      const wrong = await service.createFlow({ ...flowOf({ tools: ['multiply'] }), name: 'Wrong' })
      const failed = (await service.post(`/api/v1/run/${wrong.slug}`, { input: {} })).json<RunBody>()
      assert.equal(failed.error!.code, 'mcp_tool_missing')
      assert.match(failed.error!.message, /add, wipe\.all/)
    }
  )
})
