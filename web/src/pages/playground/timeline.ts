import type { Message } from '../../api/messages.ts'
import type { Turn } from './turns.ts'

/** What stands in the log of a session, from top to bottom. */
export type TimelineItem =
  | { readonly kind: 'day'; readonly key: string; readonly day: string }
  | { readonly kind: 'message'; readonly key: string; readonly message: Message }
  | { readonly kind: 'failed'; readonly key: string; readonly turn: Turn }

interface Placed {
  readonly at: string
  readonly item: TimelineItem
}

/**
 * Messages with the runs that failed between them. A failed run that ended before the oldest message that is shown
 * is left to the earlier part of the log, unless the log is complete.
 */
export function timelineOf(
  messages: readonly Message[],
  failed: readonly Turn[],
  isComplete: boolean
): TimelineItem[] {
  const oldest = messages[0]?.created_at
  const placed: Placed[] = messages.map((message) => {
    return { at: message.created_at, item: { kind: 'message', key: message.id, message } }
  })
  for (const turn of failed) {
    const at = turn.finishedAt ?? turn.createdAt
    if (at === null || (!isComplete && oldest !== undefined && at < oldest)) continue
    placed.push({ at, item: { kind: 'failed', key: `failed-${turn.runId}`, turn } })
  }
  return withDays(placed.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)))
}

function withDays(placed: readonly Placed[]): TimelineItem[] {
  const items: TimelineItem[] = []
  let day = ''
  for (const { at, item } of placed) {
    const next = dayOf(at)
    if (next !== day) items.push({ kind: 'day', key: `day-${next}`, day: next })
    day = next
    items.push(item)
  }
  return items
}

/** The day of a moment where the reader is: 2026-11-15. */
export function dayOf(at: string): string {
  const date = new Date(at)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** "Today", "Yesterday", or the date. */
export function dayWords(day: string, today: string): string {
  if (day === today) return 'Today'
  const noon = new Date(`${today}T12:00:00`)
  noon.setDate(noon.getDate() - 1)
  if (day === dayOf(noon.toISOString())) return 'Yesterday'
  return new Date(`${day}T12:00:00`).toLocaleDateString(undefined, { dateStyle: 'long' })
}
