import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface McpServerOptions {
  readonly token?: string
  readonly tools: readonly object[]
  readonly call: (given: Record<string, unknown>) => object
  /** How it answers: with a body, or with events. */
  readonly speaks?: 'json' | 'events'
  /** Since 2026: no handshake and no sessions, and each request says all. */
  readonly isStateless?: boolean
  /** Answers all but the greeting. */
  readonly answer?: (response: ServerResponse) => void
}

const STATELESS = '2026-07-28'

interface Asked {
  readonly id?: number
  readonly method: string
  readonly headers: IncomingMessage['headers']
  readonly params?: {
    readonly name?: string
    readonly arguments?: Record<string, unknown>
    readonly cursor?: string
    readonly _meta?: Readonly<Record<string, unknown>>
  }
}

export interface McpServer {
  readonly url: string
  readonly token: string
  readonly asked: readonly Asked[]
  /** It knows no session any more. */
  forget(): void
  stop(): Promise<void>
}

/** A server of the Model Context Protocol over Streamable HTTP, with sessions or without; it lists one tool on a page. */
export async function startMcpServer({
  tools,
  call,
  speaks = 'json',
  isStateless = false,
  answer,
  token = 'mcp-token-0123456789'
}: McpServerOptions): Promise<McpServer> {
  const asked: Asked[] = []
  let sessions = 0
  let known = new Set<string>()
  const server = createServer((request, response) => void handle(request, response))

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers.authorization !== `Bearer ${token}`) return void response.writeHead(401).end()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { headers } = request
    const message: Asked = { ...JSON.parse(Buffer.concat(chunks).toString()), headers }
    asked.push(message)
    if (isStateless) return answerStateless(response, message)
    if (message.method === 'initialize') {
      const session = String(++sessions)
      known.add(session)
      response.setHeader('mcp-session-id', session)
      const result = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 't' } }
      return reply(response, message, { result })
    }
    if (!known.has(String(request.headers['mcp-session-id']))) return void response.writeHead(404).end()
    if (message.id === undefined) return void response.writeHead(202).end()
    if (answer !== undefined) return answer(response)
    reply(response, message, answerTo(message))
  }

  function answerStateless(response: ServerResponse, message: Asked): void {
    const { method, params = {}, headers } = message
    const version = params._meta?.['io.modelcontextprotocol/protocolVersion']
    const said = ['mcp-protocol-version', 'mcp-method', 'mcp-name'].map((name) => headers[name])
    const name = method === 'tools/call' ? params.name : undefined
    const refuse = (code: number, message: string) =>
      void response
        .writeHead(400, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }))
    if (version !== STATELESS) return refuse(-32022, 'Only 2026-07-28 is spoken here.')
    if (said.join() !== [version, method, name].join()) return refuse(-32020, 'The headers say otherwise.')
    if (method === 'server/discover') {
      const result = { resultType: 'complete', supportedVersions: [STATELESS], capabilities: { tools: {} } }
      return reply(response, message, { result })
    }
    if (answer !== undefined) return answer(response)
    reply(response, message, answerTo(message))
  }

  function answerTo({ method, params = {} }: Asked): object {
    if (method === 'tools/list') {
      const at = Number(params.cursor ?? 0)
      const more = at + 1 < tools.length ? { nextCursor: String(at + 1) } : {}
      return { result: { tools: tools.slice(at, at + 1), ...more } }
    }
    const isKnown = tools.some((tool) => (tool as { name: string }).name === params.name)
    if (!isKnown) return { error: { code: -32602, message: `Unknown tool: ${params.name}` } }
    return { result: call(params.arguments ?? {}) }
  }

  function reply(response: ServerResponse, { id }: Asked, body: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', id, ...body })
    if (speaks === 'json') return void response.setHeader('content-type', 'application/json').end(text)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const notice = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: {} })
    response.end(`event: message\ndata: ${notice}\n\nevent: message\ndata: ${text}\n\n`)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    token,
    asked,
    forget: () => {
      known = new Set()
    },
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    }
  }
}
