import { useQuery } from '@tanstack/react-query'
import { useApi } from './api-context.ts'

/** Why a trigger does not start runs, and since when. */
export interface TriggerFault {
  readonly message: string
  readonly at: string
}

interface TriggerFacts {
  readonly node: string
  readonly error: TriggerFault | null
}

/** No event tells of it, and whoever has mended the cause waits for the next try. */
const ASK_AGAIN_MS = 15_000

/** By node, the triggers of the live version that could not be started. */
export function useTriggerFaults(flow: string, isAsked: boolean): ReadonlyMap<string, TriggerFault> {
  const api = useApi()
  const { data } = useQuery({
    queryKey: ['triggers', flow],
    queryFn: ({ signal }) => api.get<{ triggers: TriggerFacts[] }>(`flows/${flow}/triggers`, {}, { signal }),
    select: faultsOf,
    refetchInterval: ASK_AGAIN_MS,
    enabled: isAsked
  })
  return data ?? NONE
}

const NONE: ReadonlyMap<string, TriggerFault> = new Map()

function faultsOf({ triggers }: { readonly triggers: readonly TriggerFacts[] }): typeof NONE {
  return new Map(triggers.flatMap(({ node, error }) => (error === null ? [] : [[node, error]])))
}
