import type { Message, MessagePage } from '../../api/messages.ts'

/** What was received of one session since the page is shown, on top of what was fetched. */
interface Received {
  readonly messages: readonly Message[]
  /** All that were ever received, also those that are not kept. */
  readonly count: number
  /** Too many came to keep them all: what was fetched before does not go on where these begin. */
  readonly isCut: boolean
}

export type ReceivedBySession = ReadonlyMap<string, Received>

export const NOTHING_RECEIVED: Received = { messages: [], count: 0, isCut: false }

/** A flow may print thousands a second; a person reads none of them, and a page must not keep them all. */
export const MOST_KEPT = 1000

/** A step may be told twice (see src/runs/present/run-events.ts), so a message that is known is passed over. */
export function withReceived(received: ReceivedBySession, news: readonly Message[]): ReceivedBySession {
  if (news.length === 0) return received
  const after = new Map(received)
  for (const [session, messages] of Map.groupBy(news, (message) => message.session)) {
    after.set(session, withMessages(after.get(session) ?? NOTHING_RECEIVED, messages))
  }
  return after
}

function withMessages(received: Received, news: readonly Message[]): Received {
  const known = new Set(received.messages.map(({ id }) => id))
  const fresh = news.filter(({ id }) => !known.has(id) && known.add(id))
  const all = [...received.messages, ...fresh]
  return {
    messages: all.slice(-MOST_KEPT),
    count: received.count + fresh.length,
    isCut: received.isCut || all.length > MOST_KEPT
  }
}

/** All that pages hold, the newest page being the first, in the order of printing. Runs that overlap share pages. */
export function messagesOf(pages: readonly MessagePage[]): readonly Message[] {
  return [...pages]
    .reverse()
    .flatMap(({ messages }) => messages)
    .sort(byTime)
}

/** What was fetched and what was received as one, in the order of printing. */
export function joined(fetched: readonly Message[], received: Received): readonly Message[] {
  if (received.messages.length === 0) return fetched
  if (isApart(fetched, received)) return received.messages
  const read = new Set(fetched.map(({ id }) => id))
  const whole = received.messages.filter(({ id, text_omitted }) => text_omitted !== true || !read.has(id))
  const known = new Set(whole.map(({ id }) => id))
  return [...fetched.filter(({ id }) => !known.has(id)), ...whole].sort(byTime)
}

/** Messages are missing between what was fetched and what was received, which is more than is kept. */
export function isApart(fetched: readonly Message[], received: Received): boolean {
  if (!received.isCut) return false
  const known = new Set(received.messages.map(({ id }) => id))
  return !fetched.some(({ id }) => known.has(id))
}

/** Sorting keeps the order of those that were printed in the same millisecond. */
function byTime(a: Message, b: Message): number {
  return a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : 0
}

interface Window {
  /** How many are shown, counted up from the end or from the anchor. */
  readonly limit: number
  /** The last message that somebody saw who has scrolled up since; null for whoever is at the end. */
  readonly anchor: string | null
}

/**
 * The messages that are shown. At the end, the newest ones. To a reader who has scrolled up, what was there stays, and
 * what came since is added below. Undefined when the anchor is not kept any more: what is shown then stays as it is,
 * since what is kept does not follow on it.
 */
export function windowOf(all: readonly Message[], { limit, anchor }: Window): readonly Message[] | undefined {
  if (anchor === null) return all.slice(-limit)
  const place = all.findLastIndex(({ id }) => id === anchor)
  if (place === -1) return undefined
  return all.slice(Math.max(0, place + 1 - limit), place + 1 + MOST_KEPT)
}
