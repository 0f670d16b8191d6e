import type { Message } from '../../api/messages.ts'
import type { ReceivedBySession } from './message-log.ts'

/** What a run is given that names no other: every webhook prints there. */
export const DEFAULT_SESSION = 'default'

export interface SessionFacts {
  readonly session: string
  /** The newest message, where one is known. */
  readonly newest: Message | null
}

interface KnownSessions {
  readonly messages: readonly Message[]
  readonly received: ReceivedBySession
  /** Those that this browser has seen or made; the service tells of those that printed lately only. */
  readonly remembered: readonly string[]
  readonly shown: string
}

/** The sessions of a flow: newest message first, those without one on top, where they were made. */
export function sessionsOf({ messages, received, remembered, shown }: KnownSessions): SessionFacts[] {
  const newest = new Map<string, Message | null>()
  for (const session of [DEFAULT_SESSION, ...remembered, shown]) newest.set(session, null)
  const printed = [...messages, ...[...received.values()].flatMap((of) => of.messages.at(-1) ?? [])]
  for (const message of printed) {
    const known = newest.get(message.session)
    if (known == null || known.created_at <= message.created_at) newest.set(message.session, message)
  }
  return [...newest].map(([session, message]) => ({ session, newest: message })).sort(newestFirst)
}

function newestFirst(a: SessionFacts, b: SessionFacts): number {
  const time = ({ session, newest }: SessionFacts) =>
    newest?.created_at ?? (session === DEFAULT_SESSION ? '' : '~')
  return time(a) < time(b) ? 1 : time(a) > time(b) ? -1 : 0
}

/** One line that tells a message from others: its text without line breaks and marks. */
export function previewOf(text: string): string {
  const begin = text.slice(0, 400)
  // Where nothing but marks was printed, they are what there is to see.
  return inOneLine(begin.replace(/^[#>\s]+|[*`|~]+/gm, ' ')) || inOneLine(begin)
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 120)
}

/** A name that nobody else has chosen: letters that cannot be taken for one another, by chance. */
export function newSessionName(random: (below: number) => number): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
  const chosen = Array.from({ length: 6 }, () => letters[random(letters.length)])
  return `chat-${chosen.join('')}`
}
