import { isPlainObject, type JsonValue, parseJson } from '../../../flows/json/exact-json.ts'

export interface KeptRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | readonly string[]>>
  readonly address: string
}

export interface KeptFile {
  readonly file: string
  readonly filename: string
  readonly content_type: string
}

/** What a request is sent on with. */
export interface Forwarded {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: ForwardedBody
}

/**
 * `bytes`: the body as it came. `form`, `parts`: fields that were read from it, with files. `file`: one that was the whole body.
 * Files are fetched from the service.
 */
export type ForwardedBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'form'; readonly fields: readonly (readonly [string, string])[] }
  | { readonly kind: 'parts'; readonly fields: readonly (readonly [string, string | KeptFile])[] }
  | { readonly kind: 'file'; readonly file: KeptFile }

/** Of this connection, or of the body as it was packed: the next connection has its own. */
const LEFT_OUT = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'content-length',
  'content-encoding'
])

/** The request as it came to the webhook, as far as it is kept: secrets of headers and of the query are not. */
export function forwardedRequest(
  request: KeptRequest,
  input: Uint8Array,
  forward: string,
  runId: string
): Forwarded {
  const kept = Object.entries(request.headers).filter(([name]) => !LEFT_OUT.has(name))
  const body = bodyOf(request, input)
  // The boundary is a new one.
  const headers = kept.filter(([name]) => name !== 'content-type' || body.kind !== 'parts')
  return {
    method: request.method,
    url: withQuery(forward, request.query),
    headers: { ...Object.fromEntries(headers), 'x-millrace-run': runId },
    body
  }
}

function bodyOf({ method, headers }: KeptRequest, input: Uint8Array): ForwardedBody {
  // Its query is the payload.
  if (method === 'GET' || (method === 'DELETE' && !hasBody(headers))) return { kind: 'none' }
  const type = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  const isAsItCame = headers['content-length'] === String(input.byteLength)
  if (isAsItCame || type === '') return { kind: 'bytes', bytes: input }
  const value = read(input)
  if (!isPlainObject(value)) return { kind: 'bytes', bytes: input }
  if (type === 'application/x-www-form-urlencoded') return { kind: 'form', fields: textsOf(value) }
  if (type === 'multipart/form-data') return { kind: 'parts', fields: fieldsOf(value) }
  return isFile(value.payload) && Object.keys(value).length === 1
    ? { kind: 'file', file: value.payload }
    : { kind: 'bytes', bytes: input }
}

function hasBody(headers: Readonly<Record<string, string>>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function read(input: Uint8Array): JsonValue {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(input))
  } catch {
    return null
  }
}

/** A name that came several times has a list of values. */
function fieldsOf(value: { readonly [name: string]: JsonValue }): (readonly [string, string | KeptFile])[] {
  return Object.entries(value).flatMap(([name, values]) =>
    [values].flat().map((each) => [name, isFile(each) ? each : String(each)] as const)
  )
}

function textsOf(value: { readonly [name: string]: JsonValue }): (readonly [string, string])[] {
  return fieldsOf(value).filter((field): field is readonly [string, string] => typeof field[1] === 'string')
}

function isFile(value: unknown): value is KeptFile {
  const { file, filename, content_type } = (value ?? {}) as Partial<KeptFile>
  return typeof file === 'string' && typeof filename === 'string' && typeof content_type === 'string'
}

function withQuery(forward: string, query: KeptRequest['query']): string {
  const url = new URL(forward)
  for (const [name, values] of Object.entries(query))
    for (const value of [values].flat()) url.searchParams.append(name, value)
  return url.href
}
