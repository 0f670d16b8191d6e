import { StepError } from '../../plugin-api.ts'

/** Which model a call went to, in the words of an error. */
export interface Asked {
  readonly connection: string
  readonly model: string
}

/** Every error of a provider, by its code: what to do. */
const ADVICE = {
  model_key_refused: 'Put a valid key into the connection.',
  model_unknown:
    'Choose a model that the connection offers, and check the name and the address of the connection.',
  model_context_too_long:
    'Send a shorter prompt or fewer turns of history, or choose a model that takes more.',
  model_rate_limited: 'Give the node more attempts (retry), or set the concurrency of the flow lower.',
  model_out_of_credit: 'Check plan and billing at the provider.',
  model_overloaded: 'Give the node more attempts (retry), or a second connection to fall back to.',
  model_refused:
    'The provider considers the content inappropriate. Change the prompt, or choose another model.',
  model_broken_off: 'The part that arrived is not used. Give the node more attempts (retry).',
  model_request_refused: 'Change the node: the message says what the provider rejects.',
  model_failed: 'Give the node more attempts (retry), or a second connection to fall back to.'
} as const

type ModelErrorCode = keyof typeof ADVICE

/** Those that a repeat can mend. */
const RETRYABLE = new Set<ModelErrorCode>([
  'model_rate_limited',
  'model_overloaded',
  'model_broken_off',
  'model_failed'
])

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
  const code = codeOf(told, how)
  const retryAfterMs = RETRYABLE.has(code) ? retryAfter(told) : undefined
  return errorOf(code, asked, `says: ${sentence(told.message)}`, retryAfterMs)
}

export function brokenOff(asked: Asked): StepError {
  return errorOf('model_broken_off', asked, 'ended its answer before it was whole.')
}

export function contentRefused(asked: Asked): StepError {
  return errorOf('model_refused', asked, 'would not answer.')
}

function errorOf(
  code: ModelErrorCode,
  { connection, model }: Asked,
  what: string,
  retryAfterMs?: number
): StepError {
  const message = `The model "${model}" of the connection "${connection}" ${what} ${ADVICE[code]}`
  const retryable = RETRYABLE.has(code)
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

function codeOf({ status, words }: Told, how: 'call' | 'stream'): ModelErrorCode {
  if (SAYS.tooLong.test(words)) return 'model_context_too_long'
  if (status === 402 || SAYS.noCredit.test(words)) return 'model_out_of_credit'
  // Before billing: whoever is over a limit of the minute is told where to pay for a larger one.
  if (status === 429 || SAYS.rateLimited.test(words)) return 'model_rate_limited'
  if (SAYS.billing.test(words)) return 'model_out_of_credit'
  if (status === 401 || SAYS.badKey.test(words)) return 'model_key_refused'
  if (status === 404 || SAYS.unknown.test(words)) return 'model_unknown'
  if (status === 403 || SAYS.forbidden.test(words)) return 'model_key_refused'
  if (status === 503 || status === 529 || SAYS.overloaded.test(words)) return 'model_overloaded'
  if (SAYS.refused.test(words)) return 'model_refused'
  if (how === 'stream') return 'model_broken_off'
  const isOurs = status !== undefined && status >= 400 && status < 500 && status !== 408
  return isOurs ? 'model_request_refused' : 'model_failed'
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
