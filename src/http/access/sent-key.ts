import type { IncomingHttpHeaders } from 'node:http'

interface SentKey {
  readonly text: string
  /** Whether it came as a bearer, which may be meant for somebody else: a guard of a context, a proxy in front. */
  readonly isBearer: boolean
}

const BEARER = /^bearer +(\S.*)$/i

/**
 * The key that came with a request. x-api-key is meant for Millrace alone, so where it is sent nothing else is looked at:
 * whoever passes the bearer guard of a context with one secret sends the key of Millrace beside it.
 */
export function sentKey(headers: IncomingHttpHeaders): SentKey | undefined {
  const own = headers['x-api-key']
  if (own !== undefined) return { text: String(own), isBearer: false }
  if (headers.authorization === undefined) return undefined
  const text = BEARER.exec(headers.authorization)?.[1]
  return text === undefined ? undefined : { text, isBearer: true }
}
