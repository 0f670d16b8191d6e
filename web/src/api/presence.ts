import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApi } from './api-context.ts'
import { useLiveEvents, useOpening } from './live.ts'

/** Somebody who has the flow open. */
export interface Present {
  readonly page: string
  readonly name: string
  readonly node: string | null
  readonly since: string
}

const NOBODY: readonly Present[] = []
/** The service forgets who is silent for longer. */
const SAY_EVERY_MS = 30_000
/** Who walks through nodes by keyboard passes many. */
const SETTLED_MS = 400

const keyOf = (flow: string) => ['presence', flow]

/** The others who have the flow open, as far as has been told. */
export function useOthers(flow: string): readonly Present[] {
  const { data = NOBODY } = useQuery<readonly Present[]>({
    queryKey: keyOf(flow),
    queryFn: skipToken,
    staleTime: Number.POSITIVE_INFINITY
  })
  return data
}

/** Tells that this page has the flow open, and keeps what it is told of others. */
export function useTellPresence(flow: string, node: string | null): void {
  const api = useApi()
  const queries = useQueryClient()
  const opening = useOpening()
  const [page] = useState(() => crypto.randomUUID())
  useLiveEvents((events) => {
    const told = events.findLast(({ name, data }) => name === 'flow.presence' && data.flow_id === flow)
    if (told !== undefined) keep(told.data.present as readonly Present[])
  })
  const keep = (present: readonly Present[]) =>
    queries.setQueryData(
      keyOf(flow),
      present.filter((each) => each.page !== page)
    )
  // biome-ignore lint/correctness/useExhaustiveDependencies: said again when the stream of events is open, as nobody tells what happened before.
  useEffect(() => {
    const say = () => {
      if (document.visibilityState === 'hidden') return
      api
        .put<{ present: readonly Present[] }>(`flows/${flow}/presence`, { body: { page, node } })
        .then(({ present }) => keep(present))
        .catch(() => undefined)
    }
    const first = window.setTimeout(say, SETTLED_MS)
    const again = window.setInterval(say, SAY_EVERY_MS)
    document.addEventListener('visibilitychange', say)
    return () => {
      window.clearTimeout(first)
      window.clearInterval(again)
      document.removeEventListener('visibilitychange', say)
    }
  }, [api, flow, node, page, opening])
  useEffect(() => {
    // Sent although the page goes.
    const gone = { method: 'DELETE', credentials: 'same-origin', keepalive: true } as const
    const leave = () => void fetch(api.address(`flows/${flow}/presence/${page}`), gone).catch(() => undefined)
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [api, flow, page])
}
