import { isPlainObject, type JsonValue } from '../../flows/json/exact-json.ts'

/** Codes of JSON-RPC, and of the protocol. */
export const FAULTS = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  headers: -32020,
  version: -32022
} as const

/** In 2026 the handshake was dropped: each request says which version it is of, and all that a server needs to know. */
const MODERN = ['2026-07-28']
/** The newest first. */
const LEGACY = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
const SERVER_KEY = 'io.modelcontextprotocol/serverInfo'

type Members = Readonly<Record<string, JsonValue>>

/** A request that is answered by a result or an error. */
export interface McpRequest {
  readonly id: string | number
  readonly method: string
  readonly params: Members
  readonly isModern: boolean
}

/** Says over JSON-RPC what is wrong. */
export class McpFault extends Error {
  readonly code: number
  readonly status: number
  readonly data: object | undefined

  constructor(
    code: number,
    message: string,
    { status = 200, data }: { status?: number; data?: object } = {}
  ) {
    super(message)
    this.code = code
    this.status = status
    this.data = data
  }
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Undefined for what asks for no answer. Throws McpFault. */
export function readMessage(body: unknown, headers: Headers): McpRequest | undefined {
  const bad = (message: string) => new McpFault(FAULTS.request, message, { status: 400 })
  if (Array.isArray(body)) throw bad('Batches are not taken. Send one message in each request.')
  if (!isPlainObject(body) || body.jsonrpc !== '2.0') throw bad('The body is no message of JSON-RPC 2.0.')
  const { id, method, params = {} } = body
  if (typeof method !== 'string') {
    // An answer to something that was never asked.
    if ('result' in body || 'error' in body) return undefined
    throw bad('The message has no "method".')
  }
  if (!isPlainObject(params)) throw new McpFault(FAULTS.params, '"params" is no object.', { status: 400 })
  if (id === undefined) return undefined
  if (!isId(id)) throw bad('The "id" of a request is a text or a number.')
  const isModern = claimsVersion(params)
  const request = { id, method, params, isModern }
  if (isModern) checkModern(request, headers)
  else checkLegacy(headers)
  return request
}

/** So that also what is refused names the request. */
export function idOf(body: unknown): string | number | null {
  const id = isPlainObject(body) ? body.id : undefined
  return isId(id) ? id : null
}

function isId(id: unknown): id is string | number {
  return typeof id === 'number' || (typeof id === 'string' && id.length <= LONGEST_ID)
}

/** In characters. */
export const LONGEST_ID = 1_000

function metaOf({ _meta }: Members): Members {
  return isPlainObject(_meta) ? _meta : {}
}

function claimsVersion(params: Members): boolean {
  return VERSION_KEY in metaOf(params)
}

/** What stands in between reads headers alone: they must say what the body says. */
function checkModern({ method, params }: McpRequest, headers: Headers): void {
  const version = metaOf(params)[VERSION_KEY]
  if (typeof version !== 'string' || !MODERN.includes(version))
    throw new McpFault(FAULTS.version, 'This version of the protocol is not spoken here.', {
      status: 400,
      data: { supported: MODERN, requested: String(version).slice(0, 100) }
    })
  const said = {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(method === 'tools/call' && typeof params.name === 'string' && { 'mcp-name': params.name })
  }
  for (const [name, value] of Object.entries(said)) {
    if (headers[name] === value) continue
    const message = `The header ${name} has to say what the body says.`
    throw new McpFault(FAULTS.headers, message, { status: 400 })
  }
}

function checkLegacy(headers: Headers): void {
  const version = headers['mcp-protocol-version']
  if (version === undefined || LEGACY.includes(String(version))) return
  const message = MODERN.includes(String(version))
    ? `A request of this version names it in params._meta, as ${VERSION_KEY}.`
    : 'This version of the protocol is not spoken here.'
  throw new McpFault(FAULTS.params, message, { status: 400, data: { supported: [...MODERN, ...LEGACY] } })
}

/** What a client that shakes hands is told: its own version, where that is spoken. */
export function agreedVersion(asked: JsonValue | undefined): string {
  return LEGACY.find((version) => version === asked) ?? LEGACY[0]!
}

export const MODERN_VERSIONS: readonly string[] = MODERN

/** Of those who may keep it, nobody does: what is offered changes with every publishing, and with the key. */
const CACHED = { ttlMs: 0, cacheScope: 'private' }

const CACHEABLE = ['server/discover', 'tools/list']

/** As the version of the request has it. */
export function resultMessage({ id, method, isModern }: McpRequest, result: object, server: object): object {
  if (!isModern) return { jsonrpc: '2.0', id, result }
  const cached = CACHEABLE.includes(method) ? CACHED : {}
  const { _meta = {} } = result as { readonly _meta?: object }
  const meta = { ..._meta, [SERVER_KEY]: server }
  return { jsonrpc: '2.0', id, result: { ...result, resultType: 'complete', ...cached, _meta: meta } }
}

export function faultMessage(
  id: string | number | null,
  { code, message, data }: McpFault
): Record<string, unknown> {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } }
}
