import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { JsonValue } from '../../../src/flows/json/exact-json.ts'
import type { Conversation } from '../../../src/runs/present/conversation-shape.ts'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'
import { useLiveEvents } from './live.ts'
import type { AgentTurn } from './shapes.ts'

/** So many pages are read of one agent: more than anybody looks through. */
const MOST_PAGES = 20

/** What an agent said and called, from the first question on. */
function conversationQuery(api: Api, run: string, node: string) {
  return queryOptions({
    queryKey: ['conversation', run, node],
    queryFn: async ({ signal }) => {
      const turns: AgentTurn[] = []
      let from: number | null = 0
      for (let page = 0; page < MOST_PAGES && from !== null; page++) {
        const path: string = `runs/${run}/nodes/${encodeURIComponent(node)}/conversation`
        const read: Conversation = await api.get<Conversation>(path, { from }, { signal })
        turns.push(...read.turns)
        from = read.next
      }
      return turns
    }
  })
}

/** However fast an agent calls, it is read again this often at the most. */
const ASK_AGAIN_MS = 500

const NEWS: ReadonlySet<string> = new Set([
  'step.tool',
  'step.settled',
  'step.waiting',
  'run.queued',
  'run.ended'
])

/** The same, kept true while the agent works. */
export function useConversation(run: string, node: string) {
  const api = useApi()
  const queries = useQueryClient()
  const timer = useRef<number | undefined>(undefined)
  useEffect(() => () => window.clearTimeout(timer.current), [])
  useLiveEvents((events) => {
    const concerns = events.some(({ name, data }) => NEWS.has(name) && data.run_id === run)
    if (!concerns || timer.current !== undefined) return
    timer.current = window.setTimeout(() => {
      timer.current = undefined
      void queries.invalidateQueries({ queryKey: ['conversation', run, node] }, { cancelRefetch: false })
    }, ASK_AGAIN_MS)
  })
  return useQuery(conversationQuery(api, run, node))
}

interface ReplayFrom {
  readonly call: number
  /** As it was, where it is left out. */
  readonly result?: JsonValue
}

/** A new run that goes on behind a call of an agent. */
export function useReplayFromCall(run: string, node: string) {
  const api = useApi()
  return useMutation({
    mutationFn: (from: ReplayFrom) =>
      api.post<{ run_id: string }>(`runs/${run}/nodes/${encodeURIComponent(node)}/replay`, {
        body: { ...from }
      })
  })
}
