import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'
import type { Pause } from './shapes.ts'

/** What can be done with many flows at once. */
export type BulkAction =
  | { readonly action: 'delete' | 'undelete' | 'purge' | 'resume' }
  | { readonly action: 'pause'; readonly mode: Pause['mode'] }
  | { readonly action: 'tag' | 'untag'; readonly tags: readonly string[] }
  | { readonly action: 'move'; readonly context: string }

interface BulkResult {
  readonly id: string
  readonly ok: boolean
  readonly error?: { readonly code: string; readonly message: string }
}

export type BulkRequest = BulkAction & { readonly ids: readonly string[] }

/** The service takes no more at once. */
export const MOST_AT_ONCE = 500

/** However many flows there are, one answer for each, in their order. */
export async function actOnFlows(
  api: Pick<Api, 'post'>,
  { ids, ...action }: BulkRequest
): Promise<BulkResult[]> {
  const results: BulkResult[] = []
  for (let at = 0; at < ids.length; at += MOST_AT_ONCE) {
    const body = { ...action, ids: ids.slice(at, at + MOST_AT_ONCE) }
    results.push(...(await api.post<{ results: BulkResult[] }>('flows/bulk', { body })).results)
  }
  return results
}

export function useActOnFlows() {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (request: BulkRequest) => actOnFlows(api, request),
    onSettled: async () => {
      for (const name of ['flow', 'bin', 'held', 'contexts']) {
        void queries.invalidateQueries({ queryKey: [name] })
      }
      await queries.invalidateQueries({ queryKey: ['flows'] })
    }
  })
}
