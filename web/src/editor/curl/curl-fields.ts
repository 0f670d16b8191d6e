import { type JsonValue, parseJson } from '../../../../src/flows/exact-json.ts'
import { escapeText, escapeTree } from '../template/escape-text.ts'
import type { CurlRequest } from './read-curl.ts'

/** How a connection would sign in with what the command holds. The secret itself is not kept. */
export interface SignIn {
  readonly auth: 'bearer' | 'basic' | 'header'
  /** Of `basic`. */
  readonly user?: string
  /** Of `header`. */
  readonly header?: string
}

/** What a node of API Request becomes by a curl command. */
export interface CurlFields {
  readonly fields: Readonly<Record<string, JsonValue>>
  readonly timeoutMs: number | undefined
  readonly attempts: number | undefined
  /** The address that a connection would have. */
  readonly origin: string
  /** Undefined where the command shows nobody who sends it. */
  readonly signIn: SignIn | undefined
  readonly notices: readonly string[]
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']
const SECRET_NAME =
  /^(?:authorization|proxy-authorization|cookie)$|api[-_]?key|access[-_]?key|token|secret|passw|session|signature|credential/i
/** Set by whoever sends: as copied they would only be in the way. */
const OF_THE_MESSAGE =
  /^(?:host|content-length|connection|transfer-encoding|accept-encoding|te|expect|upgrade|keep-alive|trailer)$|^:/i

/** Texts become templates that print them as they are. */
export function curlFields(request: CurlRequest): CurlFields {
  const notices = [...request.notices]
  const { headers, signIn } = openHeaders(request, notices)
  const { query, url } = openUrl(request.url, notices)
  if (!METHODS.includes(request.method))
    notices.push(`The method ${request.method} is none that the node knows.`)
  const contentType = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const body = bodyFields(request, contentType)
  const sent = headers.filter(([name]) => !(body.isTypeKnown && name.toLowerCase() === 'content-type'))
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
    origin: request.url.origin,
    signIn,
    notices
  }
}

type Pairs = readonly (readonly [name: string, value: string])[]

/** Without what belongs into a connection. */
function openHeaders(
  request: CurlRequest,
  notices: string[]
): { headers: Pairs; signIn: SignIn | undefined } {
  let signIn: SignIn | undefined =
    request.user === undefined ? undefined : { auth: 'basic', user: request.user }
  if (request.bearer) signIn = { auth: 'bearer' }
  const headers = request.headers.filter(([name, value]) => {
    if (OF_THE_MESSAGE.test(name)) return false
    if (!SECRET_NAME.test(name)) return true
    notices.push(`The header ${name} was left out: it looks like a secret.`)
    signIn ??= signInOf(name, value)
    return false
  })
  return { headers, signIn }
}

function signInOf(name: string, value: string): SignIn | undefined {
  if (/^cookie$/i.test(name)) return undefined
  if (!/^authorization$/i.test(name)) return { auth: 'header', header: name }
  if (/^bearer\s/i.test(value)) return { auth: 'bearer' }
  return /^basic\s/i.test(value) ? { auth: 'basic', user: userOf(value) } : { auth: 'header', header: name }
}

/** The name before the password, which is no secret. */
function userOf(basic: string): string {
  try {
    return atob(basic.replace(/^basic\s+/i, '')).split(':')[0] ?? ''
  } catch {
    return ''
  }
}

function openUrl(url: URL, notices: string[]): { query: Pairs; url: string } {
  const query = [...url.searchParams].filter(([name]) => {
    if (!SECRET_NAME.test(name)) return true
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

interface BodyFields {
  readonly body: JsonValue
  readonly type: string
  /** The type of the body says what the header would. */
  readonly isTypeKnown: boolean
}

function bodyFields({ method, body }: CurlRequest, contentType: string): BodyFields {
  if (body.kind === 'none') {
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
  return { body: escapeText(text), type: 'Text', isTypeKnown: false }
}

/** An object or a list; anything else is as well written as text. */
function asJson(text: string): JsonValue | undefined {
  try {
    const value = parseJson(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
