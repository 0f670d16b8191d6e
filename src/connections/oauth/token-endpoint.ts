import type { Clock } from '../../clock.ts'
import type { Egress } from '../../egress/egress.ts'
import { destinationOf } from '../../egress/guarded-lookup.ts'
import { reachError } from '../../engine/reach-error.ts'
import { StepError } from '../../engine/step-error.ts'
import type { Connection } from '../connection.ts'
import { redactText } from '../redaction/redact-secrets.ts'
import { SecretSpellings } from '../redaction/secret-spellings.ts'
import { purposeOf, type Tokens } from './tokens.ts'
import { resourceOf } from './uses-oauth.ts'

export interface TokenEndpointDeps {
  readonly openSecrets: (connection: Connection) => Readonly<Record<string, string>>
  readonly egress: Pick<Egress, 'request'>
  readonly clock: Pick<Clock, 'now' | 'startTimer'>
}

/** `grant_type` and what belongs to it. */
type Form = Readonly<Record<string, string>>

/** Nobody waits longer for tokens. */
const REQUEST_MS = 10_000
/** A token that ends sooner may end on its way. */
const SPARE_SECONDS = 30
const MOST_BYTES = 64 * 1024
/** Longer ones fit no header that servers take; and they are looked for, in all their spellings, in all that a step puts out. */
const LONGEST_TOKEN = 16 * 1024
/** Of what is sent, shorter texts are words such as those of the protocol. */
const SHORTEST = 8

/**
 * One POST to the provider's token endpoint (RFC 6749, sections 4.1.3, 4.4.2 and 6). Redirects are not followed: what is
 * sent is for this address alone.
 */
export async function requestTokens(
  connection: Connection,
  form: Form,
  { openSecrets, egress, clock }: TokenEndpointDeps
): Promise<Tokens> {
  const { client_secret: secret } = openSecrets(connection)
  const url = new URL(String(connection.settings.token_url))
  const destination = connection.isTrusted ? destinationOf(url.hostname, url.port, url.protocol) : null
  const sent = [secret ?? '', ...Object.values(form)]
  const spellings = SecretSpellings.of(sent.filter((each) => each.length >= SHORTEST))
  const end = new AbortController()
  const timer = clock.startTimer(REQUEST_MS, () => end.abort(late(url)))
  try {
    const request = { method: 'POST' as const, ...withClient(connection, secret, form), signal: end.signal }
    const answer = await egress.request(url, request, destination)
    const text = await readText(answer.body)
    const read = readObject(text)
    // GitHub and Slack refuse with a 200 as well, and say why.
    const isRefusal = typeof read.error === 'string' && read.access_token === undefined
    if (answer.statusCode === 200 && !isRefusal) return readTokens(read, connection, clock.now())
    throw refusal(answer.statusCode, redactText(text, spellings), url)
  } catch (error) {
    throw withoutSecrets(reachError(error, url.host), spellings)
  } finally {
    timer.stop()
  }
}

function late({ host }: URL): StepError {
  return new StepError(`${host} gave no token within ${REQUEST_MS / 1000} s. Try again later.`, {
    code: 'oauth_unavailable'
  })
}

/** By HTTP Basic, which every provider takes that gives secrets; in the body where the connection says so. */
function withClient(connection: Connection, secret: string | undefined, form: Form) {
  const { settings } = connection
  const { client_id: id = '', client_auth: way = 'basic' } = settings
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    // Some answer with a form otherwise.
    accept: 'application/json'
  }
  const body = new URLSearchParams({ ...form, ...resourceOf(connection) })
  if (secret !== undefined && way === 'basic') {
    const credentials = `${formEncoded(String(id))}:${formEncoded(secret)}`
    const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
    return { body: body.toString(), headers: { ...headers, authorization } }
  }
  body.set('client_id', String(id))
  if (secret !== undefined) body.set('client_secret', secret)
  return { body: body.toString(), headers }
}

function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1)
}

function readTokens(answer: Record<string, unknown>, connection: Connection, now: number): Tokens {
  const { access_token, expires_in, refresh_token, token_type = 'bearer' } = answer
  if (typeof access_token !== 'string' || access_token === '') {
    throw oauthError(
      'oauth_failed',
      'The token URL answered without an access token. Check that it is the address of tokens.'
    )
  }
  if ([access_token, refresh_token].some((token) => String(token ?? '').length > LONGEST_TOKEN)) {
    throw oauthError(
      'oauth_failed',
      'The token URL answered with a token of more than 16 kB, and servers take none that long. Ask for a smaller scope.'
    )
  }
  if (String(token_type).toLowerCase() !== 'bearer') {
    throw oauthError(
      'oauth_failed',
      `The provider gives tokens of the type "${token_type}", and only bearer tokens can be used.`
    )
  }
  const seconds = Number(expires_in)
  return {
    accessToken: access_token,
    useUntil: Number.isFinite(seconds) && seconds > 0 ? now + usableSeconds(seconds) * 1000 : null,
    refreshToken: typeof refresh_token === 'string' && refresh_token !== '' ? refresh_token : null,
    purpose: purposeOf(connection)
  }
}

function usableSeconds(seconds: number): number {
  return Math.max(seconds - SPARE_SECONDS, seconds / 2)
}

function refusal(status: number, text: string, { host }: URL): StepError {
  const { error, error_description: description } = readObject(text)
  const said = [error, description].filter((part) => typeof part === 'string').join(': ')
  const words = `${host} gave no token: it answered ${status}${said === '' ? '' : ` (${said.slice(0, 300)})`}.`
  if (error === 'invalid_grant') {
    return oauthError('oauth_sign_in_needed', `${words} Sign in again for this connection.`)
  }
  if (status === 429 || status >= 500)
    return new StepError(`${words} Try again later.`, { code: 'oauth_unavailable' })
  return oauthError('oauth_refused', `${words} Check the client id, the client secret and the scope.`)
}

function oauthError(code: string, message: string): StepError {
  return new StepError(message, { code, retryable: false })
}

function readObject(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>
  } catch {
    return {}
  }
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > MOST_BYTES) throw oauthError('oauth_failed', 'The token URL answered with more than 64 kB.')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** A provider may say again what it was sent. */
function withoutSecrets({ message, code, retryable }: StepError, spellings: SecretSpellings): StepError {
  return new StepError(redactText(message, spellings), { code, retryable })
}
