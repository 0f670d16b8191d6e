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
 * What a component throws to say more than a message. A plugin need not import it: any error that carries
 * `code`, `retryable` or `retryAfterMs` is read alike.
 */
export class StepError extends Error {
  readonly code: string
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined

  constructor(message: string, options: StepErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'StepError'
    this.code = options.code ?? 'step_failed'
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
    code: typeof code === 'string' && code !== '' ? code : 'step_failed',
    message: messageOf(thrown),
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
