import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { type Message, messagePagesQuery, newestRunsQuery } from '../../api/messages.ts'
import { isApart, joined, messagesOf, NOTHING_RECEIVED, windowOf } from './message-log.ts'
import { type SessionTurns, turnsOfSession } from './turns.ts'
import type { ReceivedOfFlow } from './use-received.ts'

/** How many messages are shown at first, and how many more each time that somebody asks. */
const PAGE = 100
/** Among so many of the newest runs, those are looked for that go on or have failed. */
const RUNS = 100

export interface SessionLog {
  readonly messages: readonly Message[]
  readonly turns: SessionTurns
  readonly isPending: boolean
  readonly error: Error | null
  /** There are older messages. */
  readonly hasEarlier: boolean
  readonly isLoadingEarlier: boolean
  /** How many were received since the page is shown. */
  readonly receivedCount: number
  readonly showEarlier: () => void
  readonly refetch: () => void
}

/**
 * The log of one session. `anchor` is the last message that a reader saw who has scrolled up. Give the part that
 * uses it flow and session as its key.
 */
export function useSessionLog(
  { flow, session }: { readonly flow: string; readonly session: string },
  receivedOfFlow: ReceivedOfFlow,
  anchor: string | null
): SessionLog {
  const api = useApi()
  const received = receivedOfFlow.messages.get(session) ?? NOTHING_RECEIVED
  const [limit, setLimit] = useState(PAGE)
  const pages = useInfiniteQuery(messagePagesQuery(api, flow, { session, first: PAGE, further: PAGE }))
  const runs = useQuery(newestRunsQuery(api, flow, RUNS))
  const fetched = useMemo(() => messagesOf(pages.data?.pages ?? []), [pages.data])
  const all = useMemo(() => joined(fetched, received), [fetched, received])
  const lacksText = useMemo(() => all.some(({ text_omitted }) => text_omitted === true), [all])
  // Once for each that was received: the list has the text that was too long for an event.
  useEffect(() => {
    if (lacksText && received.count > 0) void pages.refetch()
  }, [lacksText, received.count, pages.refetch])
  const isCutOff = useMemo(() => isApart(fetched, received), [fetched, received])
  const turns = useMemo(
    () => turnsOfSession(runs.data ?? [], receivedOfFlow.turns, session),
    [runs.data, receivedOfFlow.turns, session]
  )
  const shown = useLastDefined(windowOf(all, { limit, anchor }))
  // What was received since is among the newest pages too, so one more page may hold nothing new.
  const isShort = all.length < limit && pages.hasNextPage && !isCutOff
  const mayAsk = isShort && !pages.isFetching && !pages.isFetchNextPageError
  useEffect(() => {
    if (mayAsk) void pages.fetchNextPage()
  }, [mayAsk, pages.fetchNextPage])
  return {
    messages: shown,
    turns,
    isPending: pages.isPending,
    error: pages.data === undefined ? pages.error : null,
    hasEarlier: pages.data !== undefined && (pages.hasNextPage || isCutOff || shown[0] !== all[0]),
    isLoadingEarlier: pages.isFetchingNextPage || (isCutOff && pages.isRefetching),
    receivedCount: received.count,
    showEarlier: () => {
      setLimit(limit + PAGE)
      if (isCutOff) void pages.refetch()
      else if (pages.isFetchNextPageError) void pages.fetchNextPage()
    },
    refetch: () => void pages.refetch()
  }
}

function useLastDefined(value: readonly Message[] | undefined): readonly Message[] {
  const last = useRef<readonly Message[]>([])
  if (value !== undefined) last.current = value
  return last.current
}
