import { queryOptions, useQuery } from '@tanstack/react-query'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'
import type { FlowDocument } from './shapes.ts'

/** Every save of a flow is a version. */
export interface FlowVersion {
  readonly version: number
  readonly created_at: string
  readonly is_live: boolean
}

export type VersionDocument = FlowVersion & { readonly document: FlowDocument }

function versionsQuery(api: Api, flow: string) {
  return queryOptions({
    queryKey: ['versions', flow],
    queryFn: async ({ signal }) =>
      (await api.get<{ versions: FlowVersion[] }>(`flows/${flow}/versions`, {}, { signal })).versions,
    // Every save makes one.
    staleTime: 0
  })
}

/** A version never changes. */
export function versionQuery(api: Api, flow: string, version: number) {
  return queryOptions({
    queryKey: ['version', flow, version],
    queryFn: ({ signal }) => api.get<VersionDocument>(`flows/${flow}/versions/${version}`, {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY
  })
}

export function useVersions(flow: string) {
  return useQuery(versionsQuery(useApi(), flow))
}
