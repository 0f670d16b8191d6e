import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ReadDraft } from '../editor/graph/read-draft.ts'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'

export type { ReadDraft } from '../editor/graph/read-draft.ts'

/** The draft of a flow; null where it has none. */
export async function readDraft(api: Api, flow: string, signal?: AbortSignal): Promise<ReadDraft | null> {
  const options = signal === undefined ? {} : { signal }
  return (await api.get<ReadDraft | undefined>(`flows/${flow}/draft`, { or_none: true }, options)) ?? null
}

function draftQuery(api: Api, flow: string) {
  return queryOptions({
    queryKey: ['draft', flow],
    queryFn: ({ signal }) => readDraft(api, flow, signal)
  })
}

export function useDraft(flow: string, isWanted = true) {
  return useQuery({ ...draftQuery(useApi(), flow), enabled: isWanted })
}
