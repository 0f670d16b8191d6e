import { isPlainObject, type JsonValue, jsonIn } from '../../../../src/flows/json/exact-json.ts'
import { escapeText, escapeTree } from '../template/escape-text.ts'
import { isSecretName } from './curl-sign-in.ts'
import type { CurlRequest } from './read-curl.ts'

/** What a node of API Request becomes by a curl command. */
export interface CurlFields {
  readonly fields: Readonly<Record<string, JsonValue>>
  readonly timeoutMs: number | undefined
  readonly attempts: number | undefined
  readonly notices: readonly string[]
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']
/** Set by whoever sends: as copied they would only be in the way. */
const OF_THE_MESSAGE =
  /^(?:host|content-length|connection|transfer-encoding|accept-encoding|te|expect|upgrade|keep-alive|trailer)$|^:/i

/** Texts become templates that print them as they are. */
export function curlFields(request: CurlRequest): CurlFields {
  const notices = [...request.notices]
  const headers = openHeaders(request, notices)
  const { query, url } = openUrl(request.url, notices)
  if (!METHODS.includes(request.method))
    notices.push(`The node does not support the method ${request.method}.`)
  const contentType = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const body = bodyFields(request, contentType)
  const secrets = secretMembers(body.body)
  if (secrets.length > 0)
    notices.push(
      `What looks like a secret stands in the body, for all who may read the flow: ${secrets.join(', ')}.`
    )
  const said = headers.filter(([name]) => !(body.isTypeKnown && name.toLowerCase() === 'content-type'))
  const sent = body.sentAs === undefined ? said : [...said, ['Content-Type', body.sentAs] as const]
  return {
    fields: {
      method: METHODS.includes(request.method) ? request.method : 'GET',
      url: escapeText(url),
      query: grouped(query),
      headers: sent.length === 0 ? null : grouped(sent),
      body: body.body,
      body_type: body.type
    },
    timeoutMs: request.timeoutMs,
    attempts: request.retries === undefined ? undefined : request.retries + 1,
    notices
  }
}

type Pairs = readonly (readonly [name: string, value: string])[]

/** Without what belongs into a connection. */
function openHeaders(request: CurlRequest, notices: string[]): Pairs {
  return request.headers.filter(([name]) => {
    if (OF_THE_MESSAGE.test(name)) return false
    if (!isSecretName(name)) return true
    notices.push(`The header ${name} was left out: it looks like a secret.`)
    return false
  })
}

function openUrl(url: URL, notices: string[]): { query: Pairs; url: string } {
  const query = [...url.searchParams].filter(([name]) => {
    if (!isSecretName(name)) return true
    notices.push(
      `The parameter ${name} was left out: it looks like a secret. Send it in a header, by a connection.`
    )
    return false
  })
  return { query, url: url.origin + url.pathname }
}

/** A name that comes twice has a list. */
function grouped(pairs: Pairs): JsonValue {
  if (pairs.length === 0) return null
  const values = new Map<string, string[]>()
  for (const [name, value] of pairs) values.set(name, [...(values.get(name) ?? []), escapeText(value)])
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? all[0]! : all]))
}

/** Texts of a body that no connection could send: they are told, and stay. */
function secretMembers(body: JsonValue): string[] {
  const found = new Set<string>()
  const look = (value: JsonValue): void => {
    if (Array.isArray(value)) return value.forEach(look)
    if (!isPlainObject(value)) return
    for (const [name, member] of Object.entries(value))
      if (typeof member !== 'string') look(member)
      else if (member !== '' && isSecretName(name)) found.add(name)
  }
  look(body)
  return [...found]
}

interface BodyFields {
  readonly body: JsonValue
  readonly type: string
  /** The type of the body says what the header would. */
  readonly isTypeKnown: boolean
  /** What curl says of it by itself. */
  readonly sentAs?: string
}

function bodyFields({ method, body }: CurlRequest, contentType: string): BodyFields {
  if (body.kind === 'none' || (body.kind === 'text' && body.text === '')) {
    // Nothing would otherwise mean the data.
    const type = ['POST', 'PUT', 'PATCH'].includes(method) ? 'None' : 'Auto'
    return { body: null, type, isTypeKnown: true }
  }
  if (body.kind === 'parts') return { body: grouped(body.parts), type: 'Multipart', isTypeKnown: true }
  const { text } = body
  const isForm =
    contentType === '' ? !body.isJson : contentType.startsWith('application/x-www-form-urlencoded')
  const json = body.isJson || /[/+]json/.test(contentType) || /^\s*[{[]/.test(text) ? asJson(text) : undefined
  if (json !== undefined)
    return {
      body: escapeTree(json),
      type: 'JSON',
      isTypeKnown: /^(?:$|application\/json\b)/.test(contentType)
    }
  if (isForm && /^[^=&\s]+=[^&]*(?:&[^=&\s]+=[^&]*)*$/.test(text))
    return { body: grouped([...new URLSearchParams(text)]), type: 'Form', isTypeKnown: true }
  // A form all the same, to whoever reads it: with names alone, or empty ones.
  const sentAs = isForm && contentType === '' ? { sentAs: 'application/x-www-form-urlencoded' } : {}
  return { body: escapeText(text), type: 'Text', isTypeKnown: false, ...sentAs }
}

/** An object or a list; anything else is as well written as text. */
function asJson(text: string): JsonValue | undefined {
  const value = jsonIn(text)
  return typeof value === 'object' && value !== null ? value : undefined
}
