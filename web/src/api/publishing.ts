import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { DraftChanges as DraftChangesSchema } from '../../../src/http/flows/draft-changes-schema.ts'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'
import type { Flow } from './shapes.ts'

/** What publishing the draft would do. */
export type DraftReview = Readonly<Static<typeof DraftChangesSchema>>

/** The draft as somebody has looked at it, and the version that it would take the place of. */
export interface Reviewed {
  readonly revision: number
  readonly liveVersion: number
}

/** How often runs that still go on are counted anew. */
const COUNT_RUNS_EVERY_MS = 10_000

/** Asked for anew with each revision, since it is shown as what will be published. */
export function useDraftReview(flow: string, { revision, liveVersion }: Reviewed, isWanted: boolean) {
  const api = useApi()
  return useQuery({
    queryKey: ['draft-review', flow, revision, liveVersion],
    queryFn: ({ signal }) => api.get<DraftReview>(`flows/${flow}/draft/changes`, {}, { signal }),
    enabled: isWanted,
    staleTime: 0,
    refetchInterval: COUNT_RUNS_EVERY_MS,
    // What was shown stays until what takes its place is there: the page must not jump under who reads it.
    placeholderData: keepPreviousData
  })
}

/** Who has called a flow lately. */
export interface RecentCaller {
  readonly path: string
  readonly address: string
  readonly agent: string | null
  readonly calls: number
  readonly last_called_at: string
}

function callersQuery(api: Api, flow: string) {
  return queryOptions({
    queryKey: ['recent-callers', flow],
    queryFn: async ({ signal }) =>
      (await api.get<{ recent_callers: RecentCaller[] }>(`flows/${flow}/aliases`, {}, { signal }))
        .recent_callers
  })
}

export function useRecentCallers(flow: string) {
  return useQuery(callersQuery(useApi(), flow))
}

/** The version before `version` is live again, and what was published is the draft again. */
export function undoPublish(api: Api, flow: string, version: number): Promise<Flow> {
  return api.post(`flows/${flow}/publish/undo`, { body: { version } })
}

/** Discards the draft while it is at this revision. */
export function discardDraft(api: Api, flow: string, revision: number): Promise<void> {
  return api.delete(`flows/${flow}/draft?revision=${revision}`)
}
