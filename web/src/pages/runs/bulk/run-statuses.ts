import type { LiveEvent } from '../../../api/live-event.ts'
import type { RunStatus } from '../../../api/shapes.ts'
import { newsOf } from '../feed/run-news.ts'

/** By the id of the run. */
export type RunStatuses = ReadonlyMap<string, RunStatus>

/** What is known once these events were received; of the wanted runs alone, where it is known which they are. */
export function withEvents(
  known: RunStatuses,
  events: readonly LiveEvent[],
  wanted: ReadonlySet<string> | undefined
): RunStatuses {
  const news = newsOf(events).filter(({ id }) => wanted?.has(id) ?? true)
  if (news.length === 0) return known
  const next = new Map(known)
  for (const { id, changes } of news) if (changes.status !== undefined) next.set(id, changes.status)
  return next
}

interface Answer {
  readonly id: string
  readonly status: RunStatus
  /** What was known when it was asked for. */
  readonly before: RunStatus | undefined
}

/** An event that came while the answer was on its way is newer. */
export function withAnswer(known: RunStatuses, { id, status, before }: Answer): RunStatuses {
  return known.get(id) === before ? new Map(known).set(id, status) : known
}

export function hasEnded(status: RunStatus | undefined): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'cancelled'
}
