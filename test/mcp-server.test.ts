import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { Client, type ProtocolError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type ApiClient, problemOf } from './support/api-client.ts'
import { spokenChatFlow } from './support/chats.ts'
import { anythingFlow, chatFlow } from './support/documents.ts'
import { startOutside } from './support/outside.ts'
import { serviceOfFile, startService } from './support/service.ts'

const shared = serviceOfFile({ plugins: ['speak.ts'] })

/** The protocol's own client: with the handshake of old, or without one. */
const ERAS = { 'that shakes hands': undefined, 'without sessions': 'auto' } as const

interface Options {
  readonly mode?: 'auto' | undefined
  readonly headers?: Record<string, string>
}

async function connect(t: TestContext, service: ApiClient, { mode, headers }: Options = {}): Promise<Client> {
  const info = { name: 'test', version: '1' }
  const client = new Client(info, mode === undefined ? {} : { versionNegotiation: { mode } })
  const requestInit = { headers: headers ?? { 'x-api-key': service.key } }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${service.address}/api/v1/mcp`), { requestInit })
  )
  t.after(() => client.close())
  return client
}

const SCHEMA = {
  type: 'object',
  properties: { order_id: { type: 'integer' }, customer: { type: 'string' } },
  required: ['order_id']
}

/** Webhook → Parser → Return. */
function orderTool(more: object = {}) {
  return {
    name: 'Order text',
    slug: 'order-text',
    description: 'Says what was ordered.',
    nodes: [
      { id: 'webhook-1', type: 'webhook', fields: { schema: SCHEMA } },
      { id: 'parser-1', type: 'parser', fields: { template: 'Order {order_id}' } },
      { id: 'return-1', type: 'return' }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'parser-1.data' },
      { from: 'parser-1.parsed_text', to: 'return-1.data' }
    ],
    ...more
  }
}

/** Gives back what it gets. */
const echo = {
  name: 'Echo',
  nodes: [
    { id: 'webhook-1', type: 'webhook' },
    { id: 'return-1', type: 'return' }
  ],
  edges: [{ from: 'webhook-1.data', to: 'return-1.data' }]
}

async function flowTools(client: Client) {
  return (await client.listTools()).tools.filter(({ name }) => !name.startsWith('millrace_'))
}

function textOf(result: object): string {
  const [content] = (result as { content: { text: string }[] }).content
  return content!.text
}

for (const [era, mode] of Object.entries(ERAS))
  describe(`a client ${era}`, () => {
    it('finds flows as tools, and is given what they give back', async (t) => {
      const service = await startService(t)
      await service.createFlow(orderTool())
      const talk = await service.createFlow(chatFlow())
      const gives = await service.createFlow(echo)
      await service.createFlow({ name: 'No way in', nodes: [], edges: [] })
      const client = await connect(t, service, { mode })
      assert.equal(client.getServerVersion()?.name, 'millrace')
      const tools = await flowTools(client)
      assert.deepEqual(
        tools.map(({ name }) => name),
        [talk.slug, gives.slug, 'order-text', 'orders']
      )
      const order = tools.find(({ name }) => name === 'order-text')!
      assert.deepEqual([order.description, order.inputSchema], ['Says what was ordered.', SCHEMA])
      assert.deepEqual(tools.find(({ name }) => name === gives.slug)!.inputSchema, { type: 'object' })
      const said = await client.callTool({ name: 'order-text', arguments: { order_id: 7 } })
      assert.deepEqual(
        [textOf(said), said.isError, said.structuredContent],
        ['Order 7', undefined, undefined]
      )
      const given = await client.callTool({ name: gives.slug, arguments: { a: [1, { b: null }] } })
      assert.deepEqual(given.structuredContent, { a: [1, { b: null }] })
      assert.deepEqual(JSON.parse(textOf(given)), { a: [1, { b: null }] })
      const answered = await client.callTool({ name: talk.slug, arguments: { text: 'Hi', session: 's' } })
      assert.equal(textOf(answered), 'You said: Hi')
      const id = (answered._meta as Record<string, string>)['millrace/run_id']!
      assert.deepEqual(
        [(await service.readRun(id)).session, (await service.readRun(id)).trigger],
        ['s', 'chat']
      )
    })

    it('is told of what goes wrong, so that a model may try otherwise', async (t) => {
      const service = await shared(t)
      const outside = await startOutside(t)
      const flow = await service.createFlow(spokenChatFlow(outside.url()))
      const order = await service.createFlow(orderTool({ slug: `orders-${mode ?? 'old'}` }))
      const client = await connect(t, service, { mode })
      const misfit = await client.callTool({ name: order.slug, arguments: { order_id: 'seven' } })
      assert.equal(misfit.isError, true)
      assert.match(textOf(misfit), /order_id/)
      const called = client.callTool({ name: flow.slug, arguments: { text: 'Hi' } })
      ;(await outside.next()).answer({}, 500)
      const failed = await called
      assert.equal(failed.isError, true)
      assert.match(textOf(failed), /"speak-1".*answered 500/)
      assert.equal((await client.callTool({ name: flow.slug, arguments: {} })).isError, true)
      await assert.rejects(client.callTool({ name: 'absent', arguments: {} }), (error: ProtocolError) => {
        assert.deepEqual([error.code, /no tool "absent"/.test(error.message)], [-32602, true])
        return true
      })
    })

    it('sees and runs what its key may, by either header', async (t) => {
      const service = await shared(t)
      const mine = await service.createFlow(anythingFlow())
      const other = await service.createFlow(anythingFlow())
      const { key } = await service.createKey({ rights: ['trigger'], flow: mine.id })
      const client = await connect(t, service, { mode, headers: { authorization: `Bearer ${key}` } })
      assert.deepEqual(
        (await client.listTools()).tools.map(({ name }) => name),
        [mine.slug]
      )
      await assert.rejects(client.callTool({ name: other.slug, arguments: {} }), /no tool/)
      const { key: reader } = await service.createKey({ rights: ['read'] })
      const reading = await connect(t, service, { mode, headers: { 'x-api-key': reader } })
      const { tools } = await reading.listTools()
      assert.ok(!tools.some(({ name }) => name === mine.slug))
      await assert.rejects(connect(t, service, { mode, headers: { 'x-api-key': 'wrong' } }))
    })

    it('is given its tools page by page', async (t) => {
      const service = await startService(t)
      for (let no = 0; no < 120; no++) await service.createFlow({ ...echo, slug: `tool-${no}` })
      const client = await connect(t, service, { mode })
      const first = await client.listTools({})
      const all = [...first.tools]
      let cursor = first.nextCursor
      while (cursor !== undefined) {
        const page = await client.listTools({ cursor })
        all.push(...page.tools)
        cursor = page.nextCursor
      }
      assert.equal(new Set(all.map(({ name }) => name)).size, all.length)
      assert.equal(all.filter(({ name }) => name.startsWith('tool-')).length, 120)
    })
  })

describe('an assistant', () => {
  it('builds a flow, tests it and looks at its runs; publishing is for keys that may', async (t) => {
    const service = await shared(t)
    const { key } = await service.createKey({ rights: ['read', 'write', 'trigger'] })
    const client = await connect(t, service, { mode: 'auto', headers: { 'x-api-key': key } })
    const call = async (name: string, args: Record<string, unknown> = {}) => {
      const result = await client.callTool({ name: `millrace_${name}`, arguments: args })
      assert.equal(result.isError, undefined, textOf(result))
      return JSON.parse(textOf(result))
    }
    const components = (await call('list_components')) as { type: string }[]
    assert.ok(components.some(({ type }) => type === 'parser'))
    const parser = await call('list_components', { type: 'parser' })
    assert.ok('template' in parser.fields)
    const { id, slug } = await call('create_flow', { name: 'Built by tools' })
    const listed = (await call('list_flows')) as { slug: string }[]
    assert.ok(listed.some((flow) => flow.slug === slug))
    const document = orderTool({ name: 'Built by tools', slug })
    const faulty = { ...document, edges: [{ from: 'webhook-1.absent', to: 'parser-1.data' }] }
    const first = await call('save_draft', { flow: id, document: faulty })
    assert.ok(first.errors.length > 0)
    const second = await call('save_draft', { flow: id, document, revision: first.revision })
    assert.deepEqual(second.errors, [])
    const run = await call('test_draft', { flow: slug, input: { order_id: 7 } })
    assert.deepEqual([run.status, run.test, run.output], ['succeeded', true, 'Order 7'])
    assert.equal((await call('read_run', { run: run.id })).id, run.id)
    assert.ok(Array.isArray((await call('list_runs', { flow_id: id })).runs))
    assert.equal((await call('rehearse_draft', { flow: id, runs: 5 })).runs, 0, 'nothing has run live')
    assert.equal((await call('read_rehearsal', { flow: id })).failed, 0)
    const absent = await client.callTool({ name: 'millrace_read_run', arguments: { run: 'absent' } })
    assert.deepEqual([absent.isError, /no such run/.test(textOf(absent))], [true, true], textOf(absent))
    const asked = await client.callTool({ name: 'millrace_ask_to_publish', arguments: { flow: id } })
    assert.match(textOf(asked), new RegExp(`revision ${second.revision}.*${service.address}/flows/${id}`))
    const publish = { name: 'millrace_publish', arguments: { flow: id, revision: second.revision } }
    await assert.rejects(client.callTool(publish), /no tool "millrace_publish"/)
    assert.equal((await call('read_flow', { flow: id })).nodes.length, 0, 'nothing went live')
    const admin = await connect(t, service, { mode: 'auto' })
    const published = await admin.callTool(publish)
    assert.equal(published.isError, undefined, textOf(published))
    assert.equal((await call('read_flow', { flow: id })).nodes.length, 3)
  })

  it('is offered what its key may do', async (t) => {
    const service = await shared(t)
    const offered = async (rights: readonly string[]) => {
      const { key } = await service.createKey({ rights })
      const client = await connect(t, service, { mode: 'auto', headers: { 'x-api-key': key } })
      const { tools } = await client.listTools()
      const namesOf = (some: typeof tools) => some.map(({ name }) => name.slice('millrace_'.length))
      const own = tools.filter(({ name }) => name.startsWith('millrace_'))
      const reading = own.filter(({ annotations }) => annotations?.readOnlyHint === true)
      return { all: namesOf(own), reading: namesOf(reading) }
    }
    assert.deepEqual((await offered(['trigger'])).all, [])
    const reading = ['list_components', 'list_flows', 'read_flow', 'read_rehearsal', 'list_runs', 'read_run']
    assert.deepEqual((await offered(['read'])).all, reading)
    const every = await offered(['read', 'write', 'trigger', 'admin'])
    assert.deepEqual([every.all.length, every.reading], [12, reading])
  })
})

describe('the MCP server', () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

  it('refuses pages of other sites, and other ways than POST', async (t) => {
    const service = await shared(t)
    const post = (headers: Record<string, string>) => service.post('/api/v1/mcp', ping, { headers })
    assert.deepEqual((await post({ origin: service.address })).json(), { jsonrpc: '2.0', id: 1, result: {} })
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'none' }
    ]
    for (const headers of foreign) problemOf(await post(headers), 403, 'cross_site_request')
    problemOf(await post({ host: 'evil.example' }), 421, 'unknown_host')
    for (const method of ['GET', 'DELETE']) {
      const answer = await service.request(method, '/api/v1/mcp')
      problemOf(answer, 405, 'method_not_allowed')
      assert.equal(answer.headers.get('allow'), 'POST')
    }
    problemOf(await service.post('/api/v1/mcp', ping, { key: null }), 401, 'unauthorized')
  })

  it('says in its own words what is no message', async (t) => {
    const service = await shared(t)
    const meta = (version: unknown) => ({ _meta: { 'io.modelcontextprotocol/protocolVersion': version } })
    const modern = { jsonrpc: '2.0', id: 'a', method: 'tools/list', params: meta('2026-07-28') }
    const rows: [body: unknown, status: number, code: number][] = [
      [[ping], 400, -32600],
      [{}, 400, -32600],
      ['x', 400, -32600],
      [{ jsonrpc: '2.0', id: {}, method: 'ping' }, 400, -32600],
      [{ ...ping, method: 'resources/list' }, 200, -32601],
      [{ ...ping, method: 'tools/call' }, 200, -32602],
      [{ ...ping, method: 'tools/call', params: { name: 'orders', arguments: [] } }, 200, -32602],
      [{ ...ping, method: 'tools/list', params: { cursor: 7 } }, 200, -32602],
      [{ ...ping, params: 7 }, 400, -32602],
      [{ jsonrpc: '2.0', method: 'notifications/initialized', params: null }, 400, -32602],
      [{ ...modern, params: meta('2030-01-01') }, 400, -32022],
      [modern, 400, -32020]
    ]
    for (const [body, status, code] of rows) {
      const answer = await service.post('/api/v1/mcp', body)
      const { error } = answer.json<{ error: { code: number } }>()
      assert.deepEqual([answer.status, error.code], [status, code], JSON.stringify(body))
    }
    const broken = await service.request('POST', '/api/v1/mcp', {
      body: Buffer.from('{"jsonrpc"'),
      headers: { 'content-type': 'application/json' }
    })
    assert.equal(problemOf(broken, 400, 'bad_request').code, 'bad_request')
    assert.equal(broken.json<{ error: { code: number } }>().error.code, -32700)
    for (const body of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 1, result: {} }
    ])
      assert.deepEqual([(await service.post('/api/v1/mcp', body)).status], [202])
    const old = await service.post('/api/v1/mcp', ping, { headers: { 'mcp-protocol-version': '1999-01-01' } })
    assert.equal(old.status, 400)
  })

  it('keeps every digit of what it is sent and gives back', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(echo)
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${flow.slug}","arguments":{"id":12345678901234567890,"price":1.10}}}`
    const answer = await service.request('POST', '/api/v1/mcp', {
      body: Buffer.from(body),
      headers: { 'content-type': 'application/json' }
    })
    assert.ok(
      answer.text.includes('"structuredContent":{"id":12345678901234567890,"price":1.10}'),
      answer.text
    )
  })
})
