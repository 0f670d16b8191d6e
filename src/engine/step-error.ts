import { messageOf } from '../errors.ts'
import type { StepFailure } from './step-record.ts'

export interface StepErrorOptions {
  readonly code?: string
  /** False: trying again cannot help. True or absent: it may, where the node's policy allows attempts. */
  readonly retryable?: boolean
  /** The wait that the other side asked for, in milliseconds. */
  readonly retryAfterMs?: number
  readonly cause?: unknown
}

/**
 * Of what was thrown nobody looks at more: a peer decides how long its words are, and all that is done with them takes as long.
 * It is more than is told, because secrets are redacted in between, and half of one is not found.
 */
export const MOST_THROWN = 32 * 1024
/** So much is told and stored, the last of it from the end: where one error names another, the cause comes last. */
const MOST_TOLD = 2_000
const LEFT_OUT = ' … '
const OF_THE_END = 597
const MOST_OF_CODE = 100

/** What a peer said, before anything else is done with it. */
export function boundedWords(text: string): string {
  return cut(text, MOST_THROWN)
}

/** As it is told, once no secret is in it. */
export function toldWords(text: string): string {
  if (text.length <= MOST_TOLD) return text
  const end = text.slice(-OF_THE_END).replace(/^[\udc00-\udfff]/, '')
  return `${cut(text, MOST_TOLD - LEFT_OUT.length - OF_THE_END)}${LEFT_OUT}${end}`
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text
  // Half a character cannot be stored everywhere.
  const isBetween = (text.codePointAt(most - 1) ?? 0) > 0xffff
  return text.slice(0, isBetween ? most - 1 : most)
}

/**
 * What a component throws to say more than a message. A plugin need not import it: any error that carries
 * `code`, `retryable` or `retryAfterMs` is read alike.
 */
export class StepError extends Error {
  readonly code: string
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined

  constructor(message: string, options: StepErrorOptions = {}) {
    super(boundedWords(message), options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'StepError'
    this.code = cut(options.code ?? 'step_failed', MOST_OF_CODE)
    this.retryable = options.retryable ?? true
    this.retryAfterMs = options.retryAfterMs
  }
}

export interface ReadFailure extends StepFailure {
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined
}

/** Reads whatever a component threw. */
export function readFailure(thrown: unknown): ReadFailure {
  const { code, retryable, retryAfterMs } = carriedBy(thrown)
  return {
    code: typeof code === 'string' && code !== '' ? cut(code, MOST_OF_CODE) : 'step_failed',
    message: toldWords(messageOf(thrown)),
    retryable: retryable !== false,
    // A Retry-After that is a date is easily read as NaN, and a run that waits until NaN is never taken up again.
    retryAfterMs: Number.isFinite(retryAfterMs) ? (retryAfterMs as number) : undefined
  }
}

function carriedBy(thrown: unknown): Record<string, unknown> {
  try {
    const { code, retryable, retryAfterMs } = Object(thrown) as Record<string, unknown>
    return { code, retryable, retryAfterMs }
  } catch {
    return {}
  }
}
