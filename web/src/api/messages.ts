import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { FileValue } from '../../../src/flows/file-value.ts'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'
import type { LiveEvent } from './live-event.ts'
import type { RunSummary } from './shapes.ts'

/** What Chat Input or Chat Output printed. */
export interface Message {
  readonly id: string
  readonly session: string
  readonly sender: string
  readonly text: string
  readonly run_id: string
  readonly created_at: string
  /** It is too long for a live event: the list has it. */
  readonly text_omitted?: true
  readonly rating?: Rating
}

/** What somebody thought of an answer. */
export type Rating = 'good' | 'bad'

/** Messages in the order in which they were printed, and where to go on for those before them. */
export interface MessagePage {
  readonly messages: readonly Message[]
  readonly next_cursor: string | null
}

interface MessagesAsked {
  /** Left out: those of all sessions. */
  readonly session?: string
  /** How many are asked for at first, and how many each time after that: at most 1,000. */
  readonly first: number
  readonly further: number
}

/** The newest messages of a flow, and page by page those before them. */
export function messagePagesQuery(api: Api, flow: string, asked: MessagesAsked) {
  const { session, first, further } = asked
  return infiniteQueryOptions({
    queryKey: ['messages', flow, 'pages', asked],
    queryFn: ({ signal, pageParam: cursor }) => {
      const query = { session, limit: cursor === undefined ? first : further, cursor }
      return api.get<MessagePage>(`flows/${flow}/messages`, query, { signal })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    // Nobody listens while the Playground is not shown: what is kept from the last visit may lack the newest.
    staleTime: 0,
    gcTime: 60_000
  })
}

/** The last message of a session; null where it has none. */
export function newestMessageQuery(api: Api, flow: string, session: string) {
  return queryOptions({
    queryKey: ['messages', flow, 'newest', session],
    queryFn: async ({ signal }) => {
      const query = { session, limit: 1 }
      return (await api.get<MessagePage>(`flows/${flow}/messages`, query, { signal })).messages[0] ?? null
    },
    staleTime: 60_000,
    gcTime: 60_000
  })
}

/** The newest runs of a flow: which of them go on, and which have failed. */
export function newestRunsQuery(api: Api, flow: string, limit: number) {
  return queryOptions({
    queryKey: ['runs', 'newest', flow, limit],
    queryFn: async ({ signal }) =>
      (await api.get<{ runs: RunSummary[] }>('runs', { flow_id: flow, limit }, { signal })).runs,
    staleTime: 0,
    gcTime: 60_000
  })
}

type Ratings = Readonly<Record<string, Rating | null>>

/** What is said of a message here; what came live is not read again for it. */
export function useRateMessage(flow: string, { id, run_id, rating }: Message) {
  const api = useApi()
  const queries = useQueryClient()
  const key = ['ratings', flow]
  const known = queries.getQueryData<Ratings>(key)?.[id]
  return {
    said: known === undefined ? (rating ?? null) : known,
    rate: async (said: Rating | null) => {
      await api.put(`flows/${flow}/messages/${id}/rating`, { body: { run_id, rating: said } })
      queries.setQueryData<Ratings>(key, (known) => ({ ...known, [id]: said }))
    }
  }
}

interface Turn {
  readonly text: string
  readonly files?: readonly FileValue[]
  readonly session: string
}

/** Turns that go through the draft, as tests. */
export interface DraftTurns {
  /** Sees to it that the service has what is drawn; rejects where it has not. */
  readonly prepare: () => Promise<void>
}

/** Sends what a person typed through Chat Input; the answer names the run that it started. */
export function useSendTurn(flow: string, drafts?: DraftTurns) {
  const api = useApi()
  return useMutation({
    mutationFn: async (turn: Turn) => {
      await drafts?.prepare()
      const body = drafts === undefined ? turn : { ...turn, draft: true }
      return api.post<{ run_id: string }>(`flows/${flow}/chat`, { body })
    }
  })
}

const TOO_LONG = '*Too long to show live. Open the run to read it.*'

/** The messages among what happened to a flow. */
export function messagesIn(events: readonly LiveEvent[], flow: string): Message[] {
  return events
    .filter(({ name, data }) => name === 'message' && data.flow_id === flow)
    .map(({ data }) => ({
      id: String(data.id),
      session: String(data.session),
      sender: String(data.sender),
      ...(data.text_omitted === true
        ? { text: TOO_LONG, text_omitted: true as const }
        : { text: String(data.text) }),
      run_id: String(data.run_id),
      created_at: String(data.created_at)
    }))
}
