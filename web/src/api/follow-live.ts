import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useConnection, useLiveEvents } from './live.ts'
import type { LiveEvent } from './live-event.ts'
import { RecentEvents } from './recent-events.ts'
import { withRunEvents } from './recent-runs.ts'
import type { ListedFlow } from './shapes.ts'

/** Keeps what every page shares true while it is shown: the flows with their strips, and runs that were read. */
export function useFollowLive(): void {
  const queries = useQueryClient()
  const [recent] = useState(() => new RecentEvents())
  useLiveEvents((events) => {
    recent.add(events, Date.now())
    follow(queries, events)
  })
  useEffect(() => catchUpAnswers(queries, recent), [queries, recent])
  useAskAgainWhenBack(queries)
}

/** What changed while nobody was connected to hear of it is asked for again. */
function useAskAgainWhenBack(queries: QueryClient): void {
  const connection = useConnection()
  const wasOffline = useRef(false)
  useEffect(() => {
    if (connection === 'online' && wasOffline.current) void queries.invalidateQueries()
    if (connection !== 'connecting') wasOffline.current = connection === 'offline'
  }, [connection, queries])
}

/** An answer may be older than what was heard while it was on its way. */
function catchUpAnswers(queries: QueryClient, recent: RecentEvents): () => void {
  return queries.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual === true) return
    if (event.query.queryKey[0] !== 'flows') return
    const events = recent.since(0)
    if (events.length > 0)
      queries.setQueryData<ListedFlow[]>(['flows'], (flows) => flows && withRunEvents(flows, events))
  })
}

function follow(queries: QueryClient, events: readonly LiveEvent[]): void {
  queries.setQueryData<ListedFlow[]>(['flows'], (flows) => flows && withRunEvents(flows, events))
  if (events.some(({ name }) => name === 'flow.saved' || name === 'flow.deleted')) {
    void queries.invalidateQueries({ queryKey: ['flows'] })
    void queries.invalidateQueries({ queryKey: ['contexts'] })
  }
  const flows = new Set(events.filter(({ name }) => name === 'flow.saved').map(({ data }) => data.flow_id))
  // A flow may have been asked for by its slug.
  const isSaved = (data: unknown) => flows.has((data as { id?: string } | undefined)?.id ?? '')
  void queries.invalidateQueries({
    predicate: ({ queryKey, state }) => queryKey[0] === 'flow' && isSaved(state.data)
  })
  const runs = new Set(events.map(({ data }) => data.run_id))
  for (const run of runs) if (run !== undefined) void queries.invalidateQueries({ queryKey: ['run', run] })
}
