import type { FastifyRequest } from 'fastify'
import { MillraceError } from '../../errors.ts'
import type { KeyRing } from '../../keys/key-ring.ts'
import type { Actor } from '../../keys/rights.ts'
import type { Session, Sessions } from '../../keys/sessions.ts'
import { originOf } from '../session/request-origin.ts'
import { readCookie } from '../session/session-cookie.ts'

/** Methods that change nothing: what another site makes a browser ask for with them, it cannot read. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Who makes a request: whoever holds the key that came with it or, where none came, has signed in with one. */
export class Callers {
  readonly #keys: Pick<KeyRing, 'verify'>
  readonly #sessions: Pick<Sessions, 'read' | 'cookieName'>

  constructor(keys: Pick<KeyRing, 'verify'>, sessions: Pick<Sessions, 'read' | 'cookieName'>) {
    this.#keys = keys
    this.#sessions = sessions
  }

  /** Undefined for nobody we know. Throws where another site's page makes use of somebody's session. */
  identify(request: FastifyRequest): Actor | undefined {
    const key = request.headers['x-api-key']
    return key === undefined ? this.#signedIn(request) : this.#keys.verify(String(key))
  }

  /** The session that came with the request. */
  sessionOf(request: FastifyRequest): Session | undefined {
    const token = readCookie(request.headers.cookie, this.#sessions.cookieName)
    return token === undefined ? undefined : this.#sessions.read(token)
  }

  #signedIn(request: FastifyRequest): Actor | undefined {
    const session = this.sessionOf(request)
    if (session === undefined) return undefined
    if (!SAFE.has(request.method) && originOf(request.headers) !== 'same') throw crossSite()
    return session.actor
  }
}

export function crossSite(): MillraceError {
  return new MillraceError(
    'cross_site_request',
    'A session changes things from the page of Millrace only, and this request came from elsewhere. Elsewhere, send an API key in the header x-api-key.'
  )
}
