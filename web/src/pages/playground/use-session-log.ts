import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { type Message, MOST_MESSAGES, messagesQuery, newestRunsQuery } from '../../api/messages.ts'
import { joined, NOTHING_HEARD, windowOf } from './message-log.ts'
import { type SessionTurns, turnsOfSession } from './turns.ts'
import type { HeardOfFlow } from './use-heard.ts'

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
  /** There are, but the service gives no more at once. */
  readonly isExhausted: boolean
  readonly isLoadingEarlier: boolean
  /** How many were heard since the page is shown. */
  readonly heardCount: number
  readonly showEarlier: () => void
  readonly refetch: () => void
}

/**
 * The log of one session. `anchor` is the last message that a reader saw who has scrolled up. Give the part that
 * uses it flow and session as its key.
 */
export function useSessionLog(
  { flow, session }: { readonly flow: string; readonly session: string },
  heardOfFlow: HeardOfFlow,
  anchor: string | null
): SessionLog {
  const api = useApi()
  const heard = heardOfFlow.messages.get(session) ?? NOTHING_HEARD
  const [limit, setLimit] = useState(PAGE)
  const [asked, setAsked] = useState(PAGE)
  const messages = useQuery({
    ...messagesQuery(api, flow, { session, limit: asked }),
    placeholderData: keepPreviousData
  })
  const runs = useQuery(newestRunsQuery(api, flow, RUNS))
  const all = useMemo(() => joined(messages.data ?? [], heard), [messages.data, heard])
  const turns = useMemo(
    () => turnsOfSession(runs.data ?? [], heardOfFlow.turns, session),
    [runs.data, heardOfFlow.turns, session]
  )
  const shown = useLastDefined(windowOf(all, { limit, anchor }))
  const isWhole = messages.data !== undefined && messages.data.length < asked && !heard.isCut
  return {
    messages: shown,
    turns,
    isPending: messages.isPending,
    error: messages.data === undefined ? messages.error : null,
    hasEarlier: messages.data !== undefined && (!isWhole || shown[0] !== all[0]),
    isExhausted: asked === MOST_MESSAGES && shown[0] === all[0],
    isLoadingEarlier: messages.isPlaceholderData,
    heardCount: heard.count,
    showEarlier: () => {
      // What was heard since is among the newest that the service gives, and must not take the place of older ones.
      setAsked(Math.min(MOST_MESSAGES, limit + PAGE + heard.messages.length))
      setLimit(limit + PAGE)
    },
    refetch: () => void messages.refetch()
  }
}

function useLastDefined(value: readonly Message[] | undefined): readonly Message[] {
  const last = useRef<readonly Message[]>([])
  if (value !== undefined) last.current = value
  return last.current
}
