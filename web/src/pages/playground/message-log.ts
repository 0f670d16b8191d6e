import type { Message, MessagePage } from '../../api/messages.ts'

/** What was heard of one session since the page is shown, on top of what was asked for. */
export interface Heard {
  readonly messages: readonly Message[]
  /** All that were ever heard, also those that are not kept. */
  readonly count: number
  /** Too many came to keep them all: what was asked for before does not go on where these begin. */
  readonly isCut: boolean
}

export type HeardBySession = ReadonlyMap<string, Heard>

export const NOTHING_HEARD: Heard = { messages: [], count: 0, isCut: false }

/** A flow may print thousands a second; a person reads none of them, and a page must not keep them all. */
export const MOST_KEPT = 1000

/** A step may be told twice (see src/runs/present/run-events.ts), so a message that is known is passed over. */
export function withHeard(heard: HeardBySession, news: readonly Message[]): HeardBySession {
  if (news.length === 0) return heard
  const after = new Map(heard)
  for (const [session, messages] of Map.groupBy(news, (message) => message.session)) {
    after.set(session, withMessages(after.get(session) ?? NOTHING_HEARD, messages))
  }
  return after
}

function withMessages(heard: Heard, news: readonly Message[]): Heard {
  const known = new Set(heard.messages.map(({ id }) => id))
  const fresh = news.filter(({ id }) => !known.has(id) && known.add(id))
  const all = [...heard.messages, ...fresh]
  return {
    messages: all.slice(-MOST_KEPT),
    count: heard.count + fresh.length,
    isCut: heard.isCut || all.length > MOST_KEPT
  }
}

/** All that pages hold, the newest page being the first, in the order of printing. Runs that overlap share pages. */
export function messagesOf(pages: readonly MessagePage[]): readonly Message[] {
  return [...pages]
    .reverse()
    .flatMap(({ messages }) => messages)
    .sort(byTime)
}

/** What was asked for and what was heard as one, in the order of printing. */
export function joined(asked: readonly Message[], heard: Heard): readonly Message[] {
  if (heard.messages.length === 0) return asked
  if (isApart(asked, heard)) return heard.messages
  const read = new Set(asked.map(({ id }) => id))
  const whole = heard.messages.filter(({ id, text_omitted }) => text_omitted !== true || !read.has(id))
  const known = new Set(whole.map(({ id }) => id))
  return [...asked.filter(({ id }) => !known.has(id)), ...whole].sort(byTime)
}

/** Messages are missing between what was asked for and what was heard, which is more than is kept. */
export function isApart(asked: readonly Message[], heard: Heard): boolean {
  if (!heard.isCut) return false
  const known = new Set(heard.messages.map(({ id }) => id))
  return !asked.some(({ id }) => known.has(id))
}

/** Sorting keeps the order of those that were printed in the same millisecond. */
function byTime(a: Message, b: Message): number {
  return a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : 0
}

export interface Window {
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
