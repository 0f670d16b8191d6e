import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MillraceError } from '../../errors.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import type { KeyRing } from '../../keys/key-ring.ts'
import { SESSION_MS, type Sessions } from '../../keys/sessions.ts'
import { WrongKeys } from '../../keys/wrong-keys.ts'
import { timeText } from '../../runs/present/time-text.ts'
import type { StoredKey } from '../../store/credentials.ts'
import { actorOf, unauthorized } from '../access/access.ts'
import { type Callers, crossSite } from '../access/callers.ts'
import { apiHeaders } from '../api-headers.ts'
import { SIGN_IN_BODY } from '../requests/body-limits.ts'
import { nothing, SessionKey } from '../schemas.ts'
import { originOf } from './request-origin.ts'
import { type CookiePlace, setCookie } from './session-cookie.ts'

const tags = ['Session']

const SignIn = Type.Object({ api_key: Type.String({ minLength: 1 }) }, { additionalProperties: false })

interface SessionDeps {
  readonly keys: Pick<KeyRing, 'get' | 'verify'>
  readonly sessions: Sessions
  readonly callers: Callers
  readonly cookie: CookiePlace
  readonly now: () => number
}

/** The session of a person who uses the page: begun with an API key, looked at, and ended. */
export function sessionRoutes(app: FastifyInstance, deps: SessionDeps): void {
  const { keys, callers, sessions } = deps
  const wrongKeys = new WrongKeys(deps.now)
  const refuseLimited = async ({ ip }: FastifyRequest) => {
    const seconds = wrongKeys.secondsToWait(ip)
    if (seconds > 0) throw limited(seconds)
  }

  app.post<{ Body: { api_key: string } }>(
    '/api/v1/session',
    {
      config: { access: 'own guard' },
      bodyLimit: SIGN_IN_BODY,
      // Before the body is read: whoever has to wait is not even listened to.
      onRequest: [refuseOtherSites, refuseLimited],
      schema: {
        tags,
        operationId: 'signIn',
        summary: 'Sign in with an API key',
        refuses: ['unauthorized', 'cross_site_request', 'sign_in_limited'],
        description: 'Sets a cookie that is good wherever the key itself is, for as long as the key is.',
        body: SignIn,
        response: { 204: nothing('Signed in') }
      }
    },
    async (request, reply) => {
      // And after: many that were let in together may have guessed meanwhile.
      await refuseLimited(request)
      const actor = keys.verify(request.body.api_key)
      if (actor === undefined) {
        wrongKeys.add(request.ip)
        throw unauthorized()
      }
      return beginSession(reply, keys.get(actor.keyId)!.key, deps).code(204).send()
    }
  )

  app.get(
    '/api/v1/session',
    {
      config: { access: 'any key' },
      schema: {
        tags,
        operationId: 'readSession',
        summary: 'Who is signed in',
        response: { 200: Type.Object({ key: SessionKey }) }
      }
    },
    async (request, reply) => {
      const session = callers.sessionOf(request)
      if (session !== undefined && sessions.isToRenew(session))
        beginSession(reply, session.key, deps, session.id)
      return { key: presentKey(keys.get(actorOf(request).keyId)!.key) }
    }
  )

  app.delete(
    '/api/v1/session',
    {
      config: { access: 'own guard' },
      onRequest: refuseOtherSites,
      schema: {
        tags,
        operationId: 'signOut',
        summary: 'Sign out',
        refuses: ['cross_site_request'],
        response: { 204: nothing('Signed out') }
      }
    },
    async (request, reply) => {
      setCookie(reply, deps.cookie, '', 0)
      const session = callers.sessionOf(request)
      if (session !== undefined) await sessions.end(session)
      return reply.headers(apiHeaders).code(204).send()
    }
  )
}

/** Whoever gets this answer is signed in as the holder of the key. */
export function beginSession(
  reply: FastifyReply,
  key: StoredKey,
  { sessions, cookie }: Pick<SessionDeps, 'sessions' | 'cookie'>,
  sessionId?: string
): FastifyReply {
  setCookie(reply, cookie, sessions.issue(key, sessionId), SESSION_MS / 1000)
  return reply.headers(apiHeaders)
}

/** No other site signs anybody in or out. Programs, which are no browsers, may. */
async function refuseOtherSites(request: FastifyRequest): Promise<void> {
  if (originOf(request.headers) === 'other') throw crossSite()
}

function limited(seconds: number): MillraceError {
  return new MillraceError(
    'sign_in_limited',
    `Too many wrong keys came from this address. Try again in ${seconds} s.`,
    { headers: { 'retry-after': String(seconds) } }
  )
}

function presentKey(key: StoredKey) {
  return {
    id: key.id,
    name: key.name,
    rights: key.rights,
    flow_id: key.flowId,
    context: key.context,
    expires_at: timeText(key.expiresAt)
  }
}
