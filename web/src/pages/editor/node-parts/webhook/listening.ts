import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { use, useEffect, useRef } from 'react'
import { useApi } from '../../../../api/api-context.ts'
import { useAskAgain } from '../../../../api/asking-again.ts'
import type { LandedRun, Mark } from '../../../../api/landed-run.ts'
import { useLiveEvents } from '../../../../api/live.ts'
import { REQUESTS } from '../../../../api/request-triggers.ts'
import { notifyProblem } from '../../../../design/notify.tsx'
import { LoadToolsContext } from '../../lazy-tools.tsx'
import type { Listening } from '../../session/testing-context.ts'

/**
 * Listening is kept with the data of the page and not in the node: a node is taken from the canvas while it is out of
 * sight, and whoever listens goes and sends the request meanwhile.
 */
type ListenState =
  | { readonly state: 'off' }
  /** Waits for the first request after this run; null waits for the flow's very first. */
  | { readonly state: 'armed'; readonly after: Mark | null; readonly address: string | undefined }
  | { readonly state: 'landed'; readonly run: LandedRun }

interface ListeningOptions {
  /** Makes the test address; undefined where the key may not. */
  readonly openAddress: (() => Promise<string>) | undefined
  /** Told once of each request that landed. */
  readonly onLanded: (run: LandedRun) => void
}

const OFF: ListenState = { state: 'off' }

export function useListening(flow: string, { openAddress, onLanded }: ListeningOptions): Listening {
  const api = useApi()
  const loadTools = use(LoadToolsContext)
  const queries = useQueryClient()
  const key = ['listening', flow]
  const listening =
    useQuery<ListenState>({
      queryKey: key,
      queryFn: skipToken,
      initialData: OFF,
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: Number.POSITIVE_INFINITY
    }).data ?? OFF
  const turn = (next: ListenState) => queries.setQueryData<ListenState>(key, next)
  const landed = useLanded(flow, listening)
  const newest = useRef(onLanded)
  newest.current = onLanded
  useEffect(() => {
    if (landed === undefined) return
    const key = ['listening', flow]
    if (queries.getQueryData<ListenState>(key)?.state !== 'armed') return
    queries.setQueryData<ListenState>(key, (): ListenState => ({ state: 'landed', run: landed }))
    newest.current(landed)
  }, [landed, queries, flow])
  return {
    isArmed: listening.state === 'armed',
    address: listening.state === 'armed' ? listening.address : undefined,
    landed: listening.state === 'landed' ? listening.run.id : undefined,
    listen: async () => {
      try {
        const address = await openAddress?.()
        const [newest] = await (await loadTools()).runsSince(api, flow, { limit: 1 })
        turn({
          state: 'armed',
          address,
          after: newest === undefined ? null : { id: newest.id, created_at: newest.created_at }
        })
      } catch (error) {
        notifyProblem(error)
      }
    },
    stop: () => turn(OFF)
  }
}

/** It asks when it is armed, when it comes back into sight, and whenever a request is accepted: no gap in between. */
function useLanded(flow: string, listening: ListenState): LandedRun | undefined {
  const api = useApi()
  const loadTools = use(LoadToolsContext)
  const askAgain = useAskAgain()
  const after = listening.state === 'armed' ? listening.after : null
  const isArmed = listening.state === 'armed'
  useLiveEvents((events) => {
    const isRequest = events.some(
      ({ name, data }) => name === 'run.queued' && data.flow_id === flow && REQUESTS.includes(data.trigger)
    )
    if (isArmed && isRequest) askAgain({ queryKey: ['landed', flow] })
  })
  const { data } = useQuery({
    queryKey: ['landed', flow, after?.id ?? null],
    queryFn: async () => (await loadTools()).landedRun(api, flow, after),
    enabled: isArmed,
    staleTime: 0,
    gcTime: 0
  })
  return isArmed ? (data ?? undefined) : undefined
}
