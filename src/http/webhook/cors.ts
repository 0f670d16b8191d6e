import type { FastifyReply, FastifyRequest } from 'fastify'
import { ANY_ORIGIN } from '../../flows/cors-origins.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { WebhookEntry } from '../../library/webhook-entry.ts'
import { apiHeaders } from '../api-headers.ts'

type Library = Pick<FlowLibrary, 'find'>

/** A browser asks again after ten minutes: by then a Webhook that was changed is believed. */
const PREFLIGHT_SECONDS = '600'

/** By name what old browsers know; all others by the star, which counts where no cookies are sent, and none ever are. */
const EXPOSED =
  'Location, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed, Preference-Applied, *'

/** Names of headers, as a browser lists them. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~-]+(?:\s*,\s*[\w!#$%&'*+.^`|~-]+)*$/
const LONGEST_NAMES = 2_000

/**
 * Lets pages of the origins that a Webhook names read its answers, refusals too: else their script could not tell a wrong key from a cable that
 * was pulled. A page of an origin that is allowed learns that there is a flow, and it was told so by whoever allowed it; all others are
 * answered as if there were none. Cookies are never asked for, so no session of the page can be made use of.
 */
export function tellAllowedOrigin(request: FastifyRequest, reply: FastifyReply, library: Library): void {
  const { origin } = request.headers
  if (origin === undefined) return
  // Whether or not it is allowed, and whether or not there is a flow.
  reply.header('vary', varied(reply))
  const allowed = allowedOrigin(entryOf(request, library), origin)
  if (allowed === undefined) return
  reply.header('access-control-allow-origin', allowed).header('access-control-expose-headers', EXPOSED)
}

/** Answers what a browser asks before it sends a request for a page of another origin; false where the page is not allowed to. */
export function answersPreflight(request: FastifyRequest, reply: FastifyReply, library: Library): boolean {
  const { origin, 'access-control-request-method': method } = request.headers
  if (origin === undefined || method === undefined) return false
  const entry = entryOf(request, library)
  if (allowedOrigin(entry, origin) === undefined) return false
  const asked = String(request.headers['access-control-request-headers'] ?? '')
  const areNames = asked.length <= LONGEST_NAMES && HEADER_NAMES.test(asked)
  reply
    .code(204)
    .headers({
      ...apiHeaders,
      'access-control-allow-methods': entry!.methods.join(', '),
      ...(areNames ? { 'access-control-allow-headers': asked } : {}),
      'access-control-max-age': PREFLIGHT_SECONDS
    })
    .send()
  return true
}

function entryOf(request: FastifyRequest, library: Library): WebhookEntry | null | undefined {
  return library.find((request.params as { flow: string }).flow)?.webhook
}

function allowedOrigin(entry: WebhookEntry | null | undefined, origin: string): string | undefined {
  const origins = entry?.corsOrigins ?? []
  if (origins.includes(ANY_ORIGIN)) return ANY_ORIGIN
  return origins.includes(origin) ? origin : undefined
}

function varied(reply: FastifyReply): string {
  const said = reply.getHeader('vary')
  return said === undefined ? 'Origin' : `${[said].flat().join(', ')}, Origin`
}
