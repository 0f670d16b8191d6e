import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MillraceError } from '../../errors.ts'
import { isPlainObject, writeJson } from '../../flows/json/exact-json.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { actorOf } from '../access/access.ts'
import type { ApiParts } from '../api-parts.ts'
import { registerOwn } from '../own-registration.ts'
import { asMillraceError } from '../problem.ts'
import { readExactJson } from '../requests/exact-body.ts'
import { originOf } from '../session/request-origin.ts'
import {
  agreedVersion,
  FAULTS,
  faultMessage,
  idOf,
  LONGEST_ID,
  McpFault,
  type McpRequest,
  MODERN_VERSIONS,
  readMessage,
  resultMessage
} from './messages.ts'
import { callTool, listTools } from './tools.ts'

const MCP_PATH = '/api/v1/mcp'

const INSTRUCTIONS =
  'Each tool is a flow of Millrace, which runs when it is called. Its result is what the flow gave back.'

const Id = Type.Union([
  Type.String({ maxLength: LONGEST_ID }),
  Type.Number({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })
])

const Message = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Type.Optional(Id),
    method: Type.String(),
    params: Type.Optional(Type.Record(Type.String(), Type.Unknown()))
  },
  { description: 'A request or notification of JSON-RPC 2.0' }
)

const Answer = Type.Object({
  jsonrpc: Type.Literal('2.0'),
  id: Type.Union([Id, Type.Null()]),
  result: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.Unknown())
})

/** Flows as tools of models: a server of the Model Context Protocol, over Streamable HTTP and without sessions. */
export function mcpApi(app: FastifyInstance, parts: ApiParts): void {
  registerOwn(app, parts.tree, (scope) => {
    readExactJson(scope)
    answerInJsonRpc(scope, parts)
    mcpRoute(scope, parts)
    withoutStreams(scope)
  })
}

function mcpRoute(app: FastifyInstance, parts: ApiParts): void {
  app.post(
    MCP_PATH,
    {
      config: { access: 'any key', takes: { body: Message } },
      bodyLimit: parts.payloadLimit,
      onRequest: (request, _reply, done) => done(refusedOrigin(request)),
      schema: {
        tags: ['Model Context Protocol'],
        operationId: 'sendMcpMessage',
        summary: 'Flows as tools, by the Model Context Protocol',
        description:
          'Streamable HTTP without sessions, of the versions 2026-07-28 (stateless) and 2025-11-25 to 2024-11-05. Every flow that the key may trigger and that has a Webhook or Chat Input is a tool.',
        response: { 200: Answer, 202: Type.Null({ description: 'Taken, and not to be answered' }) }
      }
    },
    async (request, reply) => {
      const { version } = parts
      const server = { name: 'millrace', title: 'Millrace', version }
      const message = readMessage(request.body, request.headers)
      if (message === undefined) return reply.code(202).send()
      const result = await resultOf(message, server, { request, reply, parts })
      return reply
        .header('content-type', 'application/json; charset=utf-8')
        .send(writeJson(resultMessage(message, result, server)))
    }
  )
}

/** A page of another site must not make use of a server that its visitor reaches. */
function refusedOrigin({ headers }: FastifyRequest): MillraceError | undefined {
  const { 'sec-fetch-site': _, ...rest } = headers
  if (originOf(headers) !== 'other' && originOf(rest) !== 'other') return undefined
  return new MillraceError(
    'cross_site_request',
    'The request came from a page of another site. Call the server from a program, or from its own address.'
  )
}

interface Asked {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly parts: ApiParts
}

function resultOf(message: McpRequest, server: object, { request, reply, parts }: Asked) {
  const { method, params, isModern } = message
  const offered = { capabilities: { tools: {} }, instructions: INSTRUCTIONS }
  if (isModern && method === 'server/discover') return { supportedVersions: MODERN_VERSIONS, ...offered }
  if (!isModern && method === 'initialize')
    return { protocolVersion: agreedVersion(params.protocolVersion), serverInfo: server, ...offered }
  if (!isModern && method === 'ping') return {}
  const actor = actorOf(request)
  if (method === 'tools/list') return listTools(params.cursor, actor, parts)
  if (method !== 'tools/call') throw new McpFault(FAULTS.method, 'There is no such method here.')
  const { name, arguments: args = {} } = params
  if (typeof name !== 'string') throw new McpFault(FAULTS.params, '"name" is the name of a tool.')
  if (!isPlainObject(args)) throw new McpFault(FAULTS.params, '"arguments" is an object.')
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  return callTool({ name, args, actor, gone: gone.signal }, request, parts)
}

/** What is refused before a tool is called is an error of JSON-RPC, and what the web refuses a problem that holds one. */
function answerInJsonRpc(scope: FastifyInstance, { refusals }: ApiParts): void {
  scope.setErrorHandler((error, request, reply) => {
    const id = idOf(request.body)
    if (error instanceof McpFault && error.status === 200)
      return reply.code(200).send(faultMessage(id, error))
    if (error instanceof McpFault) {
      const members = faultMessage(id, error)
      return refusals.send(reply, new MillraceError('bad_request', error.message, { members }))
    }
    const known = asMillraceError(error, reply.statusCode)
    if (known === undefined) throw error
    const fault = new McpFault(known.code === 'bad_request' ? FAULTS.parse : FAULTS.request, known.message)
    const members = { ...known.extras.members, ...faultMessage(id, fault) }
    return refusals.send(reply, new MillraceError(known.code, known.message, { ...known.extras, members }))
  })
}

/** Older clients ask for a stream of what the server has to say by itself, which is nothing, and end sessions, of which there are none. */
function withoutStreams(app: FastifyInstance): void {
  for (const method of ['GET', 'DELETE'])
    app.route({
      method,
      url: MCP_PATH,
      config: { access: 'any key' },
      schema: { hide: true, response: { 200: Type.Null() } },
      handler: () => {
        throw new MillraceError('method_not_allowed', 'Messages are sent by POST.', {
          headers: { allow: 'POST' }
        })
      }
    })
}
