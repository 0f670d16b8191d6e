import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { MillraceError } from '../../errors.ts'
import { KeyGuesses } from '../../keys/key-guesses.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import type { WebhookEntry } from '../../library/webhook-entry.ts'

type Asked = Pick<WebhookEntry, 'auth' | 'tokenHeader' | 'basicUser' | 'signingSecrets'>

/**
 * Lets senders in that show a secret: as a token in a header, as a password, or in their first question. Wrong ones are counted by
 * address, as wrong keys are, but for themselves: whoever could see by the answers to keys that a token was counted would
 * know that there is a flow.
 */
export class SenderGuard {
  readonly #guesses: KeyGuesses

  constructor(now: () => number) {
    this.#guesses = new KeyGuesses(now)
  }

  /** Whether the headers hold the secret that the flow asks for. Without a secret nobody is let in. */
  admits(flow: LiveFlow, entry: Asked, { headers, ip }: Pick<FastifyRequest, 'headers' | 'ip'>): boolean {
    const shown = entry.auth === 'Basic' ? shownPair(headers) : shownToken(entry, headers)
    if (shown === undefined) return false
    return this.#knows(flow, ip, shown, acceptedBy(entry))
  }

  /** Whether a text is one of the flow's secrets. */
  isSecret(flow: LiveFlow, entry: Pick<WebhookEntry, 'signingSecrets'>, ip: string, text: string): boolean {
    return text !== '' && this.#knows(flow, ip, text, entry.signingSecrets)
  }

  #knows({ id }: LiveFlow, ip: string, shown: string, accepted: readonly string[]): boolean {
    if (accepted.some((one) => isSameText(shown, one))) return this.#guesses.takeGood(ip, shown, id) === 0
    this.#guesses.takeWrong(ip, shown)
    return false
  }
}

function acceptedBy({ auth, basicUser, signingSecrets }: Asked): readonly string[] {
  const secrets = signingSecrets.filter((secret) => secret !== '')
  return auth === 'Basic' ? secrets.map((secret) => `${basicUser}:${secret}`) : secrets
}

const BEARER = /^bearer +/i
const BASIC = /^basic +([A-Za-z0-9+/=_-]+)$/i

function shownToken({ tokenHeader }: Asked, headers: IncomingHttpHeaders): string | undefined {
  const sent = headers[tokenHeader]
  const token = typeof sent === 'string' ? sent.trim().replace(BEARER, '') : ''
  return token === '' ? undefined : token
}

/** The name and the password, parted by the first colon. */
function shownPair({ authorization }: IncomingHttpHeaders): string | undefined {
  const [, encoded] = BASIC.exec(authorization ?? '') ?? []
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString()
}

/** Of digests, which are of one length: what is compared tells nothing of how much of it is right. */
function isSameText(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'))
}

/** For whoever may know of the flow; see hide-refusals.ts for all others. */
export function secretInvalid({ auth, tokenHeader, basicUser, signingSecrets }: Asked): MillraceError {
  const where =
    auth === 'Basic'
      ? `the name ${JSON.stringify(basicUser)} with the secret of the flow's connection as password, in the header authorization`
      : `the secret of the flow's connection in the header ${tokenHeader}`
  const missing = signingSecrets.length === 0 ? ' There is no such secret, so nobody is let in.' : ''
  return new MillraceError(
    'secret_invalid',
    `The Webhook of the flow asks for ${where}, and the request does not send it; a key cannot replace it.${missing}`
  )
}

/** For a question that holds another secret. */
export function questionRefused(handshake: string): MillraceError {
  return new MillraceError(
    'secret_invalid',
    `The question of ${handshake} does not hold the secret of the flow's connection. Compare it with what the sender calls the verify token.`
  )
}
