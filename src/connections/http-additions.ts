import type { Connection } from './connection.ts'
import { withSecrets } from './kinds/named-secrets.ts'
import { REDACTED } from './redaction/redact-secrets.ts'

type Secrets = Readonly<Record<string, string>>

/** What a connection adds to every request to its origin, besides the headers that it signs in with. */
export interface HttpAdditions {
  /** Where relative addresses begin, with its secrets filled in. */
  readonly base: string | undefined
  /** The path of that, as answers tell it: without the secrets. */
  readonly toldPath: string | undefined
  /** Names in lower case. A node that sends one of them sends its own. */
  readonly headers: Readonly<Record<string, string>>
  /** The same for parameters. */
  readonly query: readonly (readonly [name: string, value: string])[]
  /** Signs in: it is sent whatever the address holds. */
  readonly signIn: readonly [name: string, value: string] | undefined
}

const NOTHING: HttpAdditions = {
  base: undefined,
  toldPath: undefined,
  headers: {},
  query: [],
  signIn: undefined
}

export function httpAdditions({ kind, settings }: Connection, secrets: Secrets): HttpAdditions {
  if (kind !== 'http') return NOTHING
  const { base_url, auth, parameter } = settings
  return {
    base: typeof base_url === 'string' ? withSecrets(base_url, secrets, inPath) : undefined,
    toldPath:
      typeof base_url === 'string' ? pathOf(withSecrets(base_url, secrets, () => REDACTED)) : undefined,
    headers: Object.fromEntries(
      textsIn(settings.headers).map(([name, text]) => [name.toLowerCase(), withSecrets(text, secrets)])
    ),
    query: textsIn(settings.query).map(([name, text]) => [name, withSecrets(text, secrets)]),
    signIn: auth === 'query' ? [String(parameter), secrets.value ?? ''] : undefined
  }
}

/** How the secrets of an address are written in it, and the texts that others were put into. */
export function spelledByAdditions(
  { base, headers, query, signIn }: HttpAdditions,
  secrets: Secrets
): string[] {
  if (base === undefined) return []
  const values = [...query.map(([, value]) => value), ...(signIn === undefined ? [] : [signIn[1]])]
  const holdsOne = (text: string) => Object.values(secrets).some((secret) => text.includes(secret))
  return [
    ...Object.values(secrets).map(inPath),
    ...[...Object.values(headers), ...values].filter(holdsOne),
    ...values.filter(holdsOne).map(inQuery)
  ]
}

/**
 * The address as it is really called. What is asked for again where an answer leads is not there twice, and has its secrets again:
 * answers are read without them.
 */
export function calledAddress(url: URL, additions: HttpAdditions): URL {
  const { query, signIn } = additions
  const path = pathCalled(url, additions)
  const own = query.filter(([name]) => isMissing(url.searchParams, name))
  if (own.length === 0 && signIn === undefined && path === url.pathname) return url
  const called = new URL(url)
  if (path !== url.pathname) called.pathname = path
  const again = [...own.map(([name]) => name), ...(signIn === undefined ? [] : [signIn[0]])]
  // To delete one writes all others anew.
  for (const name of again) if (called.searchParams.has(name)) called.searchParams.delete(name)
  // Written behind what is there: to read that and write it again could change how it is spelled, and others have signed it.
  const added = [...own, ...(signIn === undefined ? [] : [signIn])].map(
    ([name, value]) => `${inQuery(name)}=${inQuery(value)}`
  )
  called.search = [...(called.search.length > 1 ? [called.search.slice(1)] : []), ...added].join('&')
  return called
}

function isMissing(parameters: URLSearchParams, name: string): boolean {
  const said = parameters.getAll(name)
  return said.length === 0 || said.some((value) => value.includes(REDACTED))
}

function pathCalled({ pathname }: URL, { base, toldPath }: HttpAdditions): string {
  if (base === undefined || toldPath === undefined || !pathname.startsWith(toldPath)) return pathname
  return (pathOf(base) ?? toldPath) + pathname.slice(toldPath.length)
}

function pathOf(address: string): string | undefined {
  return URL.parse(address)?.pathname
}

function textsIn(value: unknown): [string, string][] {
  return typeof value === 'object' && value !== null ? (Object.entries(value) as [string, string][]) : []
}

function inQuery(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** A colon and an at sign are letters of a path like others, and some tokens are taken only as they were given. */
function inPath(secret: string): string {
  return inQuery(secret).replaceAll('%3A', ':').replaceAll('%40', '@')
}
