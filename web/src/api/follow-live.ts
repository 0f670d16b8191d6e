import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type AskingAgain, useAskAgain } from './asking-again.ts'
import { useLiveEvents, useOpening } from './live.ts'
import type { LiveEvent } from './live-event.ts'
import { RecentEvents } from './recent-events.ts'
import { withRunEvents } from './recent-runs.ts'
import type { ListedFlow } from './shapes.ts'

/** No event tells of these: an open stream does not keep them true. */
const UNTOLD = new Set(['session', 'components', 'editor-tools'])

/** Keeps what every page shares true while it is shown: the flows with their strips, and runs that were read. */
export function useFollowLive(): void {
  const queries = useQueryClient()
  const askAgain = useAskAgain()
  const [recent] = useState(() => new RecentEvents())
  useLiveEvents((events) => {
    recent.add(events, Date.now())
    queries.setQueryData<ListedFlow[]>(['flows'], (flows) => flows && withRunEvents(flows, events))
    askForChanged(askAgain, events)
  })
  useEffect(() => catchUpAnswers(queries, recent), [queries, recent])
  const { count } = useOpening()
  // All that is shown is asked for after this, so an opening from before has to be made good for nothing.
  const [countAtFirst] = useState(count)
  useEffect(() => {
    // Nobody tells what happened between a read and the moment in which the stream of events was open.
    if (count <= countAtFirst) return
    // Later it may be another service, of which all has to be asked.
    askAgain(count === 1 ? { predicate: ({ queryKey }) => !UNTOLD.has(String(queryKey[0])) } : {})
  }, [count, countAtFirst, askAgain])
}

/** An answer may be older than what was received while it was on its way. */
function catchUpAnswers(queries: QueryClient, recent: RecentEvents): () => void {
  return queries.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual === true) return
    if (event.query.queryKey[0] !== 'flows') return
    const events = recent.since(0)
    if (events.length > 0)
      queries.setQueryData<ListedFlow[]>(['flows'], (flows) => flows && withRunEvents(flows, events))
  })
}

function askForChanged(askAgain: AskingAgain['ask'], events: readonly LiveEvent[]): void {
  if (events.some(isAboutFlow)) {
    askAgain({ queryKey: ['flows'] })
    for (const name of ['contexts', 'bin', 'held', 'addresses']) askAgain({ queryKey: [name] })
  }
  const changed = new Set(events.filter(isAboutFlow).map(({ data }) => data.flow_id))
  if (changed.size > 0) {
    // A flow may have been asked for by its slug: which one it is, the answer tells.
    const mayBeChanged = (data: unknown) => data === undefined || changed.has((data as { id: string }).id)
    askAgain({ predicate: ({ queryKey, state }) => queryKey[0] === 'flow' && mayBeChanged(state.data) })
    for (const flow of changed) askAgain({ queryKey: ['versions', flow] })
  }
  const drafts = new Map(events.filter(isAboutDraft).map(({ data }) => [data.flow_id, data.revision ?? 0]))
  askAgain({
    predicate: ({ queryKey: [kind, flow], state }) =>
      kind === 'draft' && drafts.has(String(flow)) && drafts.get(String(flow)) !== revisionOf(state.data)
  })
  const runs = new Set(events.map(({ data }) => data.run_id))
  for (const run of runs) if (run !== undefined) askAgain({ queryKey: ['run', run] })
}

function isAboutFlow({ name }: LiveEvent): boolean {
  return name === 'flow.saved' || name === 'flow.deleted'
}

function isAboutDraft({ name }: LiveEvent): boolean {
  return name === 'draft.saved' || name === 'draft.deleted'
}

/** 0 where there is no draft. Whoever has saved it knows its revision from the answer. */
function revisionOf(draft: unknown): unknown {
  return (draft as { readonly revision: number } | null | undefined)?.revision ?? 0
}
