import type { Headers } from './build-headers.ts'

/** Doing them twice is doing them once (RFC 9110, 9.2.2). */
const IDEMPOTENT = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']

/**
 * Whether a request whose fate is not known may be sent again: where its method says so, or where it carries a key by
 * which the other side knows it again, which it does unless the node leaves that header empty.
 */
export function mayRepeat(method: string, headers: Headers): boolean {
  return IDEMPOTENT.includes(method) || headers['idempotency-key'] !== undefined
}
