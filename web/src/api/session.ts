import { queryOptions, useQuery } from '@tanstack/react-query'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'
import type { Right } from './shapes.ts'

/** The key that signed this page in. */
export interface SessionKey {
  readonly id: string
  readonly name: string
  readonly rights: readonly Right[]
  readonly flow_id: string | null
  readonly context: string | null
  readonly expires_at: string | null
}

export function sessionQuery(api: Api) {
  return queryOptions({
    queryKey: ['session'],
    queryFn: async ({ signal }) => (await api.get<{ key: SessionKey }>('session', {}, { signal })).key,
    staleTime: Number.POSITIVE_INFINITY
  })
}

export function useSession(): SessionKey | undefined {
  return useQuery(sessionQuery(useApi())).data
}

/** Whether the key that signed in may do it; until that is known, nothing is promised. */
export function useMay(right: Right): boolean {
  return useSession()?.rights.includes(right) ?? false
}

export function signIn(api: Api, key: string): Promise<void> {
  return api.post('session', { body: { api_key: key } })
}

export function signOut(api: Api): Promise<void> {
  return api.delete('session')
}
