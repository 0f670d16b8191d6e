import { useQuery } from '@tanstack/react-query'
import type { ReadDraft } from '../editor/graph/read-draft.ts'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'

export type { ReadDraft } from '../editor/graph/read-draft.ts'

/** The draft of a flow; null where it has none. */
export async function readDraft(api: Api, flow: string, signal?: AbortSignal): Promise<ReadDraft | null> {
  const options = signal === undefined ? {} : { signal }
  return (await api.get<ReadDraft | undefined>(`flows/${flow}/draft`, { or_none: true }, options)) ?? null
}

/**
 * The draft of a flow, by its id. It is read first by the address at which the flow was opened, as the document of the page has
 * asked for that already; then by the id, since the address can be changed.
 */
export function useDraft(flow: string, { address, isWanted }: { address: string; isWanted: boolean }) {
  const api = useApi()
  return useQuery({
    queryKey: ['draft', flow],
    queryFn: ({ client, queryKey, signal }) =>
      readDraft(
        api,
        client.getQueryData(queryKey) === undefined ? encodeURIComponent(address) : flow,
        signal
      ),
    enabled: isWanted
  })
}
