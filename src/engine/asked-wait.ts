import { type AskedWait, StepWait } from '../flows/step/step-wait.ts'
import { StepError } from './step-error.ts'

/** The longest that a wait can be told to take: what is beyond has no date. */
const LATEST = 8_640_000_000_000_000 - 1

/** A moment that has passed is refused: whoever asked for it meant another one. */
export function askedWait({ kind, until, forMs, question }: AskedWait, now: number): StepWait {
  const end = until ?? (forMs === undefined ? null : now + forMs)
  if (end !== null && !(end >= now && end <= LATEST)) throw notToCome(end, now)
  return new StepWait({ kind, until: end, ...(question !== undefined && { question }) })
}

function notToCome(end: number, now: number): StepError {
  const when = Math.abs(end) <= LATEST ? new Date(end).toISOString() : String(end)
  return new StepError(
    `It would wait until ${when}, which is in the past: it is ${new Date(now).toISOString()} now. Name a later moment.`,
    { code: 'wait_in_past', retryable: false }
  )
}
