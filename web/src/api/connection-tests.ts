import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'
import type { Connection } from './connections.ts'

interface ConnectionTest {
  readonly ok: boolean
  readonly message: string
  readonly took_ms: number
}

/** A test and when it was made, of the connection as it was then. */
export interface MadeTest extends ConnectionTest {
  readonly at: string
  readonly of: string
}

/** Tries it. What came of it is kept while the page is open: the service keeps no record. */
export function useTestConnection({ id, updated_at: of }: Connection) {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.post<ConnectionTest>(`connections/${id}/test`),
    onSuccess: (test) => {
      queries.setQueryData<MadeTest>(testKey(id), { ...test, at: new Date().toISOString(), of })
    }
  })
}

/** Once, for whoever has just changed it somewhere else than in the list. */
export function testConnection(api: Api, id: string): Promise<ConnectionTest> {
  return api.post(`connections/${id}/test`)
}

/** The last test of the connection as it is now; undefined where there was none. */
export function useLastTest({ id, updated_at: of }: Connection): MadeTest | undefined {
  const { data } = useQuery<MadeTest>({
    queryKey: testKey(id),
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
    staleTime: Number.POSITIVE_INFINITY
  })
  return data?.of === of ? data : undefined
}

function testKey(id: string) {
  return ['connection-test', id]
}
