import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** What a signature may be of. */
export interface SignedRequest {
  readonly headers: IncomingHttpHeaders
  readonly method: string
  /** As the sender called it: with scheme, host and query. */
  readonly url: string
  /** Byte for byte. */
  readonly body: Uint8Array
}

/** When a request is signed, and by which name where the scheme gives it one. */
export interface Moment {
  /** Seconds since 1970. */
  readonly seconds: number
  readonly id: string
}

/** One way to sign: all that is known of it. */
export interface Scheme {
  /** Where the signature is; others are names that it had before. In lower case. */
  readonly headers: readonly string[]
  /** When a request says that it was signed; undefined for a scheme that signs no time. */
  readonly time: (headers: IncomingHttpHeaders) => string | undefined
  /** Whether the signature was made with the secret. The time is looked at before, and a secret is not empty. */
  readonly check: (request: SignedRequest, secret: string) => boolean
  /** The headers that a sender adds; absent where nobody but the sender can sign. */
  readonly sign?: (request: SignedRequest, secret: string, moment: Moment) => Readonly<Record<string, string>>
  /** What the sender adds to the query of the address that it calls. */
  readonly query?: (request: Pick<SignedRequest, 'headers' | 'body'>) => Readonly<Record<string, string>>
}

export function textOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : ''
}

export function isSame(given: Uint8Array, expected: Uint8Array): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected)
}
