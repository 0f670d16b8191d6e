import { StepError } from '../../plugin-api.ts'

/** Which model a call went to, in the words of an error. */
export interface Asked {
  readonly connection: string
  readonly model: string
}

interface Trouble {
  readonly code: string
  readonly retryable: boolean
  readonly advice: string
}

const KEY_REFUSED: Trouble = {
  code: 'model_key_refused',
  retryable: false,
  advice: 'Put a valid key into the connection.'
}
const UNKNOWN: Trouble = {
  code: 'model_unknown',
  retryable: false,
  advice: 'Choose a model that the connection offers, and check the name and the address of the connection.'
}
const TOO_LONG: Trouble = {
  code: 'model_context_too_long',
  retryable: false,
  advice: 'Send a shorter prompt or fewer turns of history, or choose a model that takes more.'
}
const RATE_LIMITED: Trouble = {
  code: 'model_rate_limited',
  retryable: true,
  advice: 'Give the node more attempts (retry), or set the concurrency of the flow lower.'
}
const NO_CREDIT: Trouble = {
  code: 'model_out_of_credit',
  retryable: false,
  advice: 'Check plan and billing at the provider.'
}
const OVERLOADED: Trouble = {
  code: 'model_overloaded',
  retryable: true,
  advice: 'Give the node more attempts (retry), or a second connection to fall back to.'
}
const REFUSED: Trouble = {
  code: 'model_refused',
  retryable: false,
  advice: 'The provider considers the content inappropriate. Change the prompt, or choose another model.'
}
const BROKEN_OFF: Trouble = {
  code: 'model_broken_off',
  retryable: true,
  advice: 'The part that arrived is not used. Give the node more attempts (retry).'
}
const BAD_REQUEST: Trouble = {
  code: 'model_request_refused',
  retryable: false,
  advice: 'Change the node: the message says what the provider rejects.'
}
const FAILED: Trouble = {
  code: 'model_failed',
  retryable: true,
  advice: 'Give the node more attempts (retry), or a second connection to fall back to.'
}

/** What the provider said, as far as the SDK has read it. */
interface Told {
  readonly status: number | undefined
  readonly message: string
  /** Everything that names the kind of error: codes, types, and the text itself. */
  readonly words: string
  readonly headers: Readonly<Record<string, string>>
}

/** An error that the SDK threw, or put into the stream, as the error of the step. */
export function modelError(thrown: unknown, asked: Asked, how: 'call' | 'stream'): StepError {
  const told = read(thrown)
  const trouble = troubleOf(told, how)
  const retryAfterMs = trouble.retryable ? retryAfter(told) : undefined
  return errorOf(trouble, asked, `says: ${sentence(told.message)}`, retryAfterMs)
}

export function brokenOff(asked: Asked): StepError {
  return errorOf(BROKEN_OFF, asked, 'ended its answer before it was whole.')
}

export function contentRefused(asked: Asked): StepError {
  return errorOf(REFUSED, asked, 'would not answer.')
}

function errorOf(
  { code, retryable, advice }: Trouble,
  { connection, model }: Asked,
  what: string,
  retryAfterMs?: number
): StepError {
  const message = `The model "${model}" of the connection "${connection}" ${what} ${advice}`
  return new StepError(message, { code, retryable, ...(retryAfterMs !== undefined && { retryAfterMs }) })
}

/** How providers and servers that are compatible with them say it; none of them says it in one way alone. */
const SAYS = {
  tooLong:
    /context_length_exceeded|maximum context length|context (?:window|limit|size)|exceed_context_size|prompt is too long|token count .*exceeds/i,
  noCredit: /insufficient_quota|credit balance|insufficient (?:credit|balance|funds)/i,
  rateLimited: /rate_limit|RESOURCE_EXHAUSTED/i,
  billing: /billing/i,
  badKey: /invalid_api_key|authentication_error|API_KEY_INVALID|API key not valid/i,
  unknown: /model_not_found|not a valid model|(?:invalid|unknown) model|no such model/i,
  forbidden: /permission/i,
  overloaded: /overloaded|UNAVAILABLE/i,
  refused: /content_filter|content_policy|safety/i
}

function troubleOf({ status, words }: Told, how: 'call' | 'stream'): Trouble {
  if (SAYS.tooLong.test(words)) return TOO_LONG
  if (status === 402 || SAYS.noCredit.test(words)) return NO_CREDIT
  // Before billing: whoever is over a limit of the minute is told where to pay for a larger one.
  if (status === 429 || SAYS.rateLimited.test(words)) return RATE_LIMITED
  if (SAYS.billing.test(words)) return NO_CREDIT
  if (status === 401 || SAYS.badKey.test(words)) return KEY_REFUSED
  if (status === 404 || SAYS.unknown.test(words)) return UNKNOWN
  if (status === 403 || SAYS.forbidden.test(words)) return KEY_REFUSED
  if (status === 503 || status === 529 || SAYS.overloaded.test(words)) return OVERLOADED
  if (SAYS.refused.test(words)) return REFUSED
  if (how === 'stream') return BROKEN_OFF
  return status !== undefined && status >= 400 && status < 500 && status !== 408 ? BAD_REQUEST : FAILED
}

/** Nobody says more about what went wrong, and what is said is searched. */
const LONGEST_READ = 8_000

function read(thrown: unknown): Told {
  const { statusCode, message, code, type, data, responseHeaders } = Object(thrown) as Record<string, unknown>
  const text = (typeof message === 'string' && message.slice(0, LONGEST_READ)) || 'something went wrong'
  const details = (JSON.stringify(data) ?? '').slice(0, LONGEST_READ)
  return {
    status: typeof statusCode === 'number' ? statusCode : undefined,
    message: text,
    words: `${text} ${String(code)} ${String(type)} ${details}`,
    headers: (responseHeaders ?? {}) as Readonly<Record<string, string>>
  }
}

/** As long as the provider asks for: in seconds or until a date, in milliseconds, or in the details of its error. */
function retryAfter({ headers, words }: Told): number | undefined {
  const ms = Number(headers['retry-after-ms'])
  if (headers['retry-after-ms'] !== undefined && Number.isFinite(ms)) return ms
  const given = headers['retry-after']
  if (given !== undefined) {
    const seconds = Number(given)
    const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(given) - Date.now()
    return Number.isFinite(wait) ? Math.max(0, wait) : undefined
  }
  const delay = /"retryDelay":"([\d.]+)s"/.exec(words)?.[1]
  return delay === undefined ? undefined : Number(delay) * 1000
}

const LONGEST_QUOTE = 500

function sentence(text: string): string {
  const short = text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text
  return /[.!?…]$/.test(short) ? short : `${short}.`
}
