import type { RetryPolicy } from '../flows/component/component.ts'
import type { ReadFailure } from './step-error.ts'

/** So long that nobody notices, and still a moment that a calendar knows. */
const LONGEST_WAIT_MS = 365 * 86_400_000

export const ONE_ATTEMPT: RetryPolicy = { attempts: 1, backoffMs: 1_000, maxBackoffMs: 60_000 }

/**
 * How long to wait before the next attempt, or null when there is none: the failure says that trying again
 * cannot help, or the attempts are used up. The wait doubles with each attempt up to its bound; jitter takes
 * away up to half, so that runs that failed together do not come back together; of a schedule, which somebody counts
 * on, a tenth. What the other side asked for is never undercut.
 */
export function nextAttemptIn(
  policy: RetryPolicy,
  failure: ReadFailure,
  attemptsMade: number,
  random: () => number
): number | null {
  if (!failure.retryable || attemptsMade >= policy.attempts) return null
  const jittered = waitAfter(policy, attemptsMade) * (1 - random() / (policy.schedule === undefined ? 2 : 10))
  return Math.round(Math.min(Math.max(jittered, failure.retryAfterMs ?? 0), LONGEST_WAIT_MS))
}

function waitAfter({ schedule, backoffMs, maxBackoffMs }: RetryPolicy, attemptsMade: number): number {
  if (schedule === undefined) return Math.min(backoffMs * 2 ** (attemptsMade - 1), maxBackoffMs)
  return schedule[Math.min(attemptsMade, schedule.length) - 1] ?? 0
}
