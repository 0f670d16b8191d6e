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
  const carried = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as Record<string, unknown>
  return {
    code: typeof carried.code === 'string' && carried.code !== '' ? carried.code : 'step_failed',
    message: messageOf(thrown),
    retryable: carried.retryable !== false,
    retryAfterMs: typeof carried.retryAfterMs === 'number' ? carried.retryAfterMs : undefined
  }
}
