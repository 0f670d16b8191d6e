import { queryOptions, useMutation } from '@tanstack/react-query'
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
}

/** The most that the service gives at once. */
export const MOST_MESSAGES = 1000

export interface MessagesAsked {
  /** Left out: those of all sessions. */
  readonly session?: string
  readonly limit: number
}

/** The newest messages of a flow, in the order in which they were printed. */
export function messagesQuery(api: Api, flow: string, asked: MessagesAsked) {
  return queryOptions({
    queryKey: ['messages', flow, asked],
    queryFn: async ({ signal }) => {
      const query = { session: asked.session, limit: asked.limit }
      return (await api.get<{ messages: Message[] }>(`flows/${flow}/messages`, query, { signal })).messages
    },
    // Nobody listens while the Playground is not shown: what is kept from the last visit may lack the newest.
    staleTime: 0,
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

export interface Turn {
  readonly text: string
  readonly session: string
}

/** Sends what a person typed through Chat Input; the answer names the run that it started. */
export function useSendTurn(flow: string) {
  const api = useApi()
  return useMutation({
    mutationFn: (turn: Turn) => api.post<{ run_id: string }>(`flows/${flow}/chat`, { body: turn })
  })
}

/** The messages among what happened to a flow. */
export function messagesIn(events: readonly LiveEvent[], flow: string): Message[] {
  return events
    .filter(({ name, data }) => name === 'message' && data.flow_id === flow)
    .map(({ data }) => ({
      id: String(data.id),
      session: String(data.session),
      sender: String(data.sender),
      text: String(data.text),
      run_id: String(data.run_id),
      created_at: String(data.created_at)
    }))
}
