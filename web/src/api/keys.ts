import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'
import type { Right } from './shapes.ts'

export interface Key {
  readonly id: string
  readonly name: string
  /** The beginning of the key, enough to recognise it. */
  readonly hint: string
  readonly rights: readonly Right[]
  readonly flow_id: string | null
  readonly context: string | null
  readonly created_at: string
  readonly expires_at: string | null
  readonly last_used_at: string | null
  /** The variable that sets it, where one does: it cannot be revoked here. */
  readonly set_by: string | null
}

/** The answer that makes a key is the only one that ever holds it. */
export type NewKey = Key & { readonly key: string }

export interface KeyRequest {
  readonly name: string
  readonly rights: readonly Right[]
  readonly flow?: string | null
  readonly context?: string | null
  readonly expires_at?: string | null
}

function keysQuery(api: Api) {
  return queryOptions({
    queryKey: ['keys'],
    queryFn: async ({ signal }) => (await api.get<{ keys: Key[] }>('keys', {}, { signal })).keys,
    // No event tells of keys that others make, use or revoke: what is kept is shown only until the answer comes.
    staleTime: 0
  })
}

export function useKeys() {
  return useQuery(keysQuery(useApi()))
}

export function useCreateKey() {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (request: KeyRequest) => api.post<NewKey>('keys', { body: request }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] })
  })
}

export function useRevokeKey() {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.delete(`keys/${id}`),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] })
  })
}
