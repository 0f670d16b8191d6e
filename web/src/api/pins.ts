import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { JsonValue } from '../../../src/flows/json/exact-json.ts'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'

export type Outputs = Readonly<Record<string, JsonValue>>

/** What stands for the outputs of a node in tests. */
export interface Pin {
  readonly node: string
  /** By output; one that is not there is silent. */
  readonly outputs: Outputs
  /** Tells the settings that the node had: see nodeDigest. */
  readonly made_of: string
  readonly author: string | null
  readonly updated_at: string
}

function pinsQuery(api: Api, flow: string) {
  return queryOptions({
    queryKey: ['pins', flow],
    // Others who edit the flow pin too, and nobody tells of it.
    staleTime: 0,
    queryFn: ({ signal }) => api.get<{ readonly pins: readonly Pin[] }>(`flows/${flow}/pins`, {}, { signal })
  })
}

export function usePins(flow: string, isWanted: boolean): readonly Pin[] | undefined {
  return useQuery({ ...pinsQuery(useApi(), flow), enabled: isWanted }).data?.pins
}

/** Pins these outputs, or with null unpins the node. */
interface PinChange {
  readonly node: string
  readonly outputs: Outputs | null
}

export function useChangePin(flow: string) {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ node, outputs }: PinChange) => {
      const path = `flows/${flow}/pins/${encodeURIComponent(node)}`
      if (outputs === null) await api.delete(path)
      else await api.put(path, { body: { outputs } })
    },
    // Whoever is told that it is pinned sees it pinned.
    onSuccess: () => queries.invalidateQueries({ queryKey: pinsQuery(api, flow).queryKey })
  })
}
