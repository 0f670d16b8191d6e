import type { FastifyRequest } from 'fastify'
import { MillraceError } from '../../errors.ts'
import type { KeyGuesses } from '../../keys/key-guesses.ts'
import type { KeyRing } from '../../keys/key-ring.ts'
import type { Actor } from '../../keys/rights.ts'
import type { Session, Sessions } from '../../keys/sessions.ts'
import { originOf } from '../session/request-origin.ts'
import { readCookie } from '../session/session-cookie.ts'
import { sentKey } from './sent-key.ts'

/** Methods that change nothing: what another site makes a browser ask for with them, it cannot read. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

interface CallersDeps {
  readonly keys: Pick<KeyRing, 'verify'>
  readonly sessions: Pick<Sessions, 'read' | 'cookieName'>
  readonly guesses: KeyGuesses
}

/** Who makes a request: whoever holds the key that came with it or, where none came, has signed in with one. */
export class Callers {
  readonly #keys: Pick<KeyRing, 'verify'>
  readonly #sessions: Pick<Sessions, 'read' | 'cookieName'>
  readonly #guesses: KeyGuesses
  /** Requests whose wrong key was counted: one may be asked about more than once. */
  readonly #counted = new WeakSet<FastifyRequest>()

  constructor({ keys, sessions, guesses }: CallersDeps) {
    this.#keys = keys
    this.#sessions = sessions
    this.#guesses = guesses
  }

  /**
   * Undefined for nobody we know. Throws where another site's page makes use of somebody's session, and where too many
   * wrong keys came from the caller's address.
   */
  identify(request: FastifyRequest): Actor | undefined {
    const sent = sentKey(request.headers)
    if (sent === undefined) return this.#signedIn(request)
    if (sent.text === '') return undefined
    const { actor, secondsToWait } = this.#recognise(sent.text, request)
    if (secondsToWait === 0 && actor !== undefined) return actor
    // A proxy may add a bearer of its own to what a signed-in browser sends.
    const signedIn = sent.isBearer ? this.#signedIn(request) : undefined
    if (signedIn === undefined && secondsToWait > 0) throw limited(secondsToWait)
    return signedIn
  }

  /** Whose key came with a request that needs none: a wrong one is as good as none, but it counts as a guess. */
  holderOf(request: FastifyRequest): Actor | undefined {
    const sent = sentKey(request.headers)
    if (sent === undefined || sent.text === '') return undefined
    const { actor, secondsToWait } = this.#recognise(sent.text, request)
    return secondsToWait === 0 ? actor : undefined
  }

  /** Whose key it is. Where its address has to wait, that is not to be told. */
  #recognise(key: string, request: FastifyRequest): { actor: Actor | undefined; secondsToWait: number } {
    const actor = this.#keys.verify(key)
    if (this.#counted.has(request)) return { actor, secondsToWait: 0 }
    if (actor !== undefined)
      return { actor, secondsToWait: this.#guesses.takeGood(request.ip, key, actor.keyId) }
    const secondsToWait = this.#guesses.takeWrong(request.ip, key)
    if (secondsToWait === 0) this.#counted.add(request)
    return { actor, secondsToWait }
  }

  /** The session that came with the request. */
  sessionOf(request: FastifyRequest): Session | undefined {
    const token = readCookie(request.headers.cookie, this.#sessions.cookieName)
    return token === undefined ? undefined : this.#sessions.read(token)
  }

  #signedIn(request: FastifyRequest): Actor | undefined {
    const session = this.sessionOf(request)
    if (session === undefined) return undefined
    if (!isSafe(request) && originOf(request.headers) !== 'same') throw crossSite()
    return session.actor
  }
}

/** What guards itself is a webhook: that starts a flow by whatever method. */
function isSafe({ method, routeOptions }: FastifyRequest): boolean {
  return SAFE.has(method) && routeOptions.config?.access !== 'own guard'
}

export function crossSite(): MillraceError {
  return new MillraceError(
    'cross_site_request',
    'A session changes things from the page of Millrace only, and this request came from elsewhere. Elsewhere, send an API key in the header x-api-key, or as Authorization: Bearer.'
  )
}

function limited(seconds: number): MillraceError {
  return new MillraceError(
    'keys_limited',
    `Too many wrong keys came from this address. Send the request again in ${seconds} s.`,
    { headers: { 'retry-after': String(seconds) } }
  )
}
