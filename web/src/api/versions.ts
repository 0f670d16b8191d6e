import { infiniteQueryOptions, queryOptions, useInfiniteQuery } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { FlowVersion as FlowVersionSchema } from '../../../src/http/schemas.ts'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'
import type { FlowDocument } from './shapes.ts'

/** Every publish and every save of a flow is a version. */
export type FlowVersion = Readonly<Static<typeof FlowVersionSchema>>

type VersionDocument = FlowVersion & { readonly document: FlowDocument }

interface VersionPage {
  readonly versions: readonly FlowVersion[]
  readonly next_cursor: string | null
}

const PAGE = 30

/** Newest first, page by page; `isNamed` leaves out those without a name. */
function versionsQuery(api: Api, flow: string, isNamed: boolean) {
  return infiniteQueryOptions({
    queryKey: ['versions', flow, { isNamed }],
    queryFn: ({ signal, pageParam: cursor }) => {
      const named = isNamed ? 'true' : undefined
      return api.get<VersionPage>(`flows/${flow}/versions`, { limit: PAGE, named, cursor }, { signal })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    // Others publish too, while nobody looks at this list.
    staleTime: 0
  })
}

/** What a version holds never changes; whether it is live does, and is not to be read from here. */
export function versionQuery(api: Api, flow: string, version: number) {
  return queryOptions({
    queryKey: ['version', flow, version],
    queryFn: ({ signal }) => api.get<VersionDocument>(`flows/${flow}/versions/${version}`, {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY
  })
}

export function useVersions(flow: string, isNamed: boolean) {
  return useInfiniteQuery(versionsQuery(useApi(), flow, isNamed))
}
