import type { FastifyReply, FastifyRequest } from 'fastify'

export interface CookiePlace {
  readonly name: string
  /** Where the service is mounted; other applications of the same host never get the cookie. */
  readonly path: string
}

/** The value of a cookie that came with a request. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined
  const pair = header.split(';').find((text) => text.trimStart().startsWith(`${name}=`))
  return pair?.slice(pair.indexOf('=') + 1).trim()
}

/** Puts the cookie into the answer. No script can read it, and no other site can make a browser send it. */
export function setCookie(reply: FastifyReply, place: CookiePlace, value: string, seconds: number): void {
  const secure = cameByHttps(reply.request) ? '; Secure' : ''
  reply.header(
    'set-cookie',
    `${place.name}=${value}; Path=${place.path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
  )
}

/**
 * A proxy that ends TLS says so in X-Forwarded-Proto. It is believed, whoever sends it: all that follows from it is
 * that the browser of whoever sends it keeps its own cookie off plain connections.
 */
function cameByHttps({ protocol, headers }: FastifyRequest): boolean {
  const forwarded = String(headers['x-forwarded-proto'] ?? '')
  return protocol === 'https' || forwarded.split(',')[0]?.trim() === 'https'
}
