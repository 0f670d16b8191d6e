import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KeyRing } from '../../keys/key-ring.ts'
import type { Sessions } from '../../keys/sessions.ts'
import type { SignInLinks } from '../../keys/sign-in-links.ts'
import type { Callers } from '../access/callers.ts'
import { beginSession } from './session.ts'
import type { CookiePlace } from './session-cookie.ts'

export interface SignInDeps {
  readonly links: Pick<SignInLinks, 'follow'>
  readonly keys: Pick<KeyRing, 'get'>
  readonly sessions: Sessions
  readonly callers: Callers
  readonly cookie: CookiePlace
  /** Where the service is in its application; empty where it stands alone. */
  readonly mount: string
  /** What addresses that are told begin with: the path of the public address, and the mount. */
  readonly prefix: string
}

/** The token of a sign-in link; undefined where the request is for the page of that name. */
export function linkToken(request: FastifyRequest): string | undefined {
  const { token } = request.query as { token?: unknown }
  return request.method === 'GET' && typeof token === 'string' && token !== '' ? token : undefined
}

/** Signs in whoever follows a link, once, and leads on to the page; or to where the page says why not. */
export async function followSignInLink(
  reply: FastifyReply,
  token: string,
  deps: SignInDeps
): Promise<FastifyReply> {
  const { links, keys, callers, prefix } = deps
  reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  // A browser that only guesses where its user goes next would use the link up.
  if (isGuess(reply.request)) return reply.code(503).send()
  const followed = await links.follow(token)
  const known = followed.isGood ? keys.get(followed.keyId) : undefined
  if (known !== undefined) return beginSession(reply, known.key, deps).redirect(`${prefix}/`, 303)
  // Who follows a link a second time and is signed in wants the page, not a reproach.
  if (callers.sessionOf(reply.request) !== undefined) return reply.redirect(`${prefix}/`, 303)
  // A link whose key has gone can never be good again, as an expired one.
  const reason = followed.isGood ? 'expired' : followed.because
  return reply.redirect(`${prefix}/sign-in?reason=${reason}`, 303)
}

function isGuess({ headers }: FastifyRequest): boolean {
  return /prefetch|prerender/.test(`${headers['sec-purpose'] ?? ''} ${headers.purpose ?? ''}`)
}
