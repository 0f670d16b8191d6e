import type { FastifyRequest } from 'fastify'
import { isPlainObject, type JsonValue, parseJson, writeJson } from '../../flows/json/exact-json.ts'
import { type Actor, may } from '../../keys/rights.ts'
import type { ApiParts } from '../api-parts.ts'
import { type ApiCall, BUILDING_TOOLS } from './building-tools.ts'
import type { McpTool } from './flow-tools.ts'
import { answer, failure, type ToolResult } from './run-tool.ts'

/** Those that the rights of the key are enough for. */
export function buildingTools(actor: Actor): McpTool[] {
  return BUILDING_TOOLS.filter(({ rights }) => rights.every((right) => may(actor, right))).map(
    ({ name, title, description, inputSchema, rights }) => ({
      ...{ name, title, description, inputSchema },
      ...(rights.every((right) => right === 'read') && { annotations: { readOnlyHint: true } as const })
    })
  )
}

/** By these the caller is known, and by these pages of other sites. */
const HEADERS = ['host', 'x-api-key', 'authorization', 'cookie', 'origin', 'sec-fetch-site'] as const

interface BuildCall {
  readonly name: string
  readonly args: Readonly<Record<string, JsonValue>>
  readonly actor: Actor
}

/** Undefined where there is no such tool for the key. */
export async function build(
  { name, args, actor }: BuildCall,
  request: FastifyRequest,
  { mount, publicUrl }: Pick<ApiParts, 'mount' | 'publicUrl'>
): Promise<ToolResult | undefined> {
  const tool = BUILDING_TOOLS.find((each) => each.name === name)
  if (tool === undefined || !tool.rights.every((right) => may(actor, right))) return undefined
  const { told = (all) => all, ...call } = tool.call(args)
  const { isRefused, answered } = await askOwnApi(call, request, mount)
  if (isRefused) return failure(whyNot(answered))
  const page = publicUrl?.replace(/\/$/, '') ?? `${request.protocol}://${request.host}${mount}`
  return answer(told(answered, page))
}

/** In the name of whoever sent the request: its rights, checks and words are those of the API. */
export async function askOwnApi(
  { method, path, body }: Omit<ApiCall, 'told'>,
  request: FastifyRequest,
  mount: string
): Promise<{ readonly isRefused: boolean; readonly answered: JsonValue }> {
  const sent = HEADERS.flatMap((header) => {
    const value = request.headers[header]
    return value === undefined ? [] : [[header, String(value)] as const]
  })
  const said = await request.server.inject({
    method,
    url: mount + path,
    headers: {
      ...Object.fromEntries(sent),
      ...(body !== undefined && { 'content-type': 'application/json' })
    },
    remoteAddress: request.ip,
    ...(body !== undefined && { payload: writeJson(body) })
  })
  const answered = said.body === '' ? null : parseJson(said.body)
  return { isRefused: said.statusCode >= 400, answered }
}

export function whyNot(problem: JsonValue): string {
  if (!isPlainObject(problem)) return 'It was refused.'
  const faults = Array.isArray(problem.errors) ? problem.errors : []
  const words = faults.map((fault) => (isPlainObject(fault) ? String(fault.message) : ''))
  return [String(problem.detail), ...words.slice(0, 50)].join('\n')
}
