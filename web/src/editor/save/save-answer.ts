import type { Fault } from '../../../../src/errors.ts'
import type { SaveProblem } from './save-state.ts'

/** A problem as the service answers it; `status` 0 where no answer came. */
export interface ProblemAnswer {
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly errors?: readonly unknown[]
  readonly retryAfterMs?: number
}

type FailedSave =
  | { readonly kind: 'stale' }
  | { readonly kind: 'refused'; readonly problem: SaveProblem }
  | { readonly kind: 'failed'; readonly message: string; readonly retryAfterMs?: number }

/** Statuses that may pass by themselves: no answer, signed out, too slow, too much. */
const PASSING = [0, 401, 408, 425, 429]

/** What a problem means for a save. Not every 409 is about the version: a slug that is taken is one too. */
export function failedSave({ status, code, detail, errors = [], retryAfterMs }: ProblemAnswer): FailedSave {
  if (code === 'draft_conflict' || code === 'flow_conflict') return { kind: 'stale' }
  // What the page itself failed at fails again: nobody is helped by waiting for the service.
  if (code !== 'page_failed' && (PASSING.includes(status) || status >= 500)) {
    return { kind: 'failed', message: detail, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
  }
  return { kind: 'refused', problem: { code, message: detail, faults: errors as readonly Fault[] } }
}
