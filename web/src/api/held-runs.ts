import { queryOptions, useQuery } from '@tanstack/react-query'
import { useApi } from './api-context.ts'
import { useAskAgain } from './asking-again.ts'
import type { Api } from './client.ts'
import { useLiveEvents } from './live.ts'

export type HeldRuns = ReadonlyMap<string, number>

/** How many runs each paused flow holds. */
export function heldQuery(api: Api) {
  return queryOptions({
    queryKey: ['held'],
    queryFn: async ({ signal }): Promise<HeldRuns> => {
      const answer = await api.get<{ flows: { flow_id: string; held: number }[] }>(
        'runs/held',
        {},
        { signal }
      )
      return new Map(answer.flows.map(({ flow_id, held }) => [flow_id, held]))
    },
    staleTime: 0
  })
}

/** Of these flows, which are paused; kept true while it is shown. Nothing is asked where there are none. */
export function useHeldRuns(paused: ReadonlySet<string>): HeldRuns {
  const askAgain = useAskAgain()
  const { data } = useQuery({ ...heldQuery(useApi()), enabled: paused.size > 0 })
  useLiveEvents((events) => {
    const isCounted = ({ name, data }: (typeof events)[number]) =>
      (name === 'run.queued' || name === 'run.ended') && paused.has(data.flow_id)
    if (events.some(isCounted)) askAgain({ queryKey: ['held'] })
  })
  return data ?? NOTHING
}

const NOTHING: HeldRuns = new Map()
