import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'
import type { Flow } from './shapes.ts'

/** A former slug that the flow still answers to. */
export interface Alias {
  readonly slug: string
  readonly since: string
  readonly calls: number
  readonly last_called_at: string | null
  readonly callers: readonly {
    readonly key: string | null
    readonly address: string
    readonly calls: number
    readonly last_called_at: string
  }[]
}

/** Who sent one of the last requests. */
export interface RecentCaller {
  readonly path: string
  readonly address: string
  readonly agent: string | null
  readonly calls: number
  readonly last_called_at: string
}

interface Addresses {
  readonly aliases: readonly Alias[]
  readonly recent_callers: readonly RecentCaller[]
}

function addressesQuery(api: Api, flow: string) {
  return queryOptions({
    queryKey: ['addresses', flow],
    queryFn: ({ signal }) => api.get<Addresses>(`flows/${flow}/aliases`, {}, { signal }),
    staleTime: 0
  })
}

/** The old addresses of a flow, and who called it lately. */
export function useAddresses(flow: string) {
  return useQuery(addressesQuery(useApi(), flow))
}

export function useChangeSlug(flow: string) {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (slug: string) => api.post<Flow | undefined>(`flows/${flow}/slug`, { body: { slug } }),
    onSuccess: async () => {
      void queries.invalidateQueries({ queryKey: ['addresses', flow] })
      void queries.invalidateQueries({ queryKey: ['flows'] })
      await queries.invalidateQueries({ queryKey: ['flow', flow] })
    }
  })
}

export function useRemoveAlias(flow: string) {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (slug: string) => api.delete(`flows/${flow}/aliases/${encodeURIComponent(slug)}`),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['addresses', flow] })
  })
}
