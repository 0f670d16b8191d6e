import { useInfiniteQuery, useQueries } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { useApi } from '../../api/api-context.ts'
import { messagePagesQuery, newestMessageQuery } from '../../api/messages.ts'
import { messagesOf, type ReceivedBySession } from './message-log.ts'
import { nameOfSession, useSessionNotes } from './session-notes.ts'
import { DEFAULT_SESSION, newSessionName, type SessionFacts, sessionsOf } from './sessions.ts'

export interface ListedSession extends SessionFacts {
  readonly name: string
  /** How many messages came that nobody has looked at here. */
  readonly unseen: number
}

export interface Sessions {
  readonly shown: string
  readonly all: readonly ListedSession[]
  readonly isPending: boolean
  readonly nameOf: (session: string) => string
  readonly show: (session: string) => void
  readonly create: () => void
  readonly rename: (session: string, name: string) => void
  readonly forget: (session: string) => void
  /** There are older messages, maybe of sessions that are not listed: this looks among more of them. */
  readonly loadOlder: (() => void) | undefined
  readonly isLoadingOlder: boolean
}

/** Among so many of the newest messages of a flow its sessions are looked for, and among so many more each time. */
const MESSAGES_READ = { first: 200, further: 1000 }

/** Which session is shown, and how another one is. */
type ShownSession = readonly [shown: string, show: (session: string) => void]

/** In the address, so that it can be shared and gone back to. */
export function useSessionInAddress(): ShownSession {
  const [search, setSearch] = useSearchParams()
  const show = (session: string) => setSearch(session === DEFAULT_SESSION ? {} : { session })
  return [search.get('session') || DEFAULT_SESSION, show]
}

/** The sessions of a flow. */
export function useSessions(
  flow: string,
  received: ReceivedBySession,
  [shown, setShown]: ShownSession
): Sessions {
  const api = useApi()
  const { notes, remember, forget, rename } = useSessionNotes(flow)
  const pages = useInfiniteQuery(messagePagesQuery(api, flow, MESSAGES_READ))
  const messages = useMemo(() => messagesOf(pages.data?.pages ?? []), [pages.data])
  const found = sessionsOf({ messages, received, remembered: notes.remembered, shown })
  const sessions = useNewestOfSilent(flow, found, pages.isSuccess)
  const unseen = useUnseen(received, shown)
  const show = (session: string) => {
    remember(session)
    setShown(session)
  }
  return {
    shown,
    all: sessions.map((facts) => ({
      ...facts,
      name: nameOfSession(notes, facts.session),
      unseen: unseen(facts.session)
    })),
    isPending: pages.isPending,
    nameOf: (session) => nameOfSession(notes, session),
    show,
    create: () => show(newSessionName((below) => crypto.getRandomValues(new Uint32Array(1))[0]! % below)),
    rename,
    forget: (session) => {
      forget(session)
      if (session === shown) setShown(DEFAULT_SESSION)
    },
    loadOlder: pages.hasNextPage ? () => void pages.fetchNextPage() : undefined,
    isLoadingOlder: pages.isFetchingNextPage
  }
}

/** A session that printed nothing lately is asked for its newest message by itself. */
function useNewestOfSilent(
  flow: string,
  sessions: readonly SessionFacts[],
  isKnown: boolean
): readonly SessionFacts[] {
  const api = useApi()
  const silent = isKnown ? sessions.filter(({ newest }) => newest === null) : []
  const answers = useQueries({
    queries: silent.map(({ session }) => newestMessageQuery(api, flow, session))
  })
  const newest = new Map(silent.map(({ session }, index) => [session, answers[index]?.data ?? null]))
  return sessions.map((facts) => ({ ...facts, newest: facts.newest ?? newest.get(facts.session) ?? null }))
}

function useUnseen(received: ReceivedBySession, shown: string): (session: string) => number {
  const seen = useRef(new Map<string, number>())
  const count = (session: string) => received.get(session)?.count ?? 0
  useEffect(() => {
    seen.current.set(shown, count(shown))
  })
  return (session) => (session === shown ? 0 : count(session) - (seen.current.get(session) ?? 0))
}
