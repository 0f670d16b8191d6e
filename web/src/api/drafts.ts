import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ReadDraft } from '../editor/graph/read-draft.ts'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'
import { problemOf } from './problem.ts'

export type { ReadDraft } from '../editor/graph/read-draft.ts'

/** The draft of a flow; null where it has none. */
export async function readDraft(api: Api, flow: string, signal?: AbortSignal): Promise<ReadDraft | null> {
  try {
    return await api.get<ReadDraft>(`flows/${flow}/draft`, {}, signal === undefined ? {} : { signal })
  } catch (error) {
    if (problemOf(error).code === 'draft_not_found') return null
    throw error
  }
}

export function draftQuery(api: Api, flow: string) {
  return queryOptions({
    queryKey: ['draft', flow],
    queryFn: ({ signal }) => readDraft(api, flow, signal)
  })
}

export function useDraft(flow: string, isWanted = true) {
  return useQuery({ ...draftQuery(useApi(), flow), enabled: isWanted })
}
