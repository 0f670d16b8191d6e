import { useQuery } from '@tanstack/react-query'
import type { QueryTable } from '../editor/sql/complete-query.ts'
import { useApi } from './api-context.ts'

/** Of the database that flows of the context mean by this name. Asked for when somebody begins to type a query. */
export function useTables(context: string, connection: string, { enabled }: { readonly enabled: boolean }) {
  const api = useApi()
  return useQuery({
    queryKey: ['tables', context, connection],
    queryFn: async ({ signal }) =>
      (await api.get<{ tables: QueryTable[] }>('connections/tables', { context, connection }, { signal }))
        .tables,
    enabled: enabled && connection !== '',
    // Tables change seldom, and a database that does not answer is not asked again at every focus.
    staleTime: 5 * 60_000,
    retry: false
  })
}
