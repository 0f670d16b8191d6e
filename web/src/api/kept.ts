import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { JsonValue } from '../../../src/flows/json/exact-json.ts'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'

/** A value that the flows of a context keep, as a list shows it. */
export interface KeptSummary {
  readonly key: string
  /** How the value begins, as JSON. */
  readonly value_start: string
  readonly value_length: number
  readonly updated_at: string
  readonly expires_at: string | null
}

interface KeptValue extends Pick<KeptSummary, 'key' | 'updated_at' | 'expires_at'> {
  readonly value: JsonValue
}

export interface KeptRequest {
  readonly key: string
  readonly value: JsonValue
  readonly expires_in_ms?: number
}

interface KeptPage {
  readonly values: readonly KeptSummary[]
  readonly next: string | null
}

/** In the order of their keys, page by page. No event tells what flows keep: what is shown is read anew each time. */
export function keptQuery(api: Api, context: string, prefix: string) {
  return infiniteQueryOptions({
    queryKey: ['kept', context, prefix],
    queryFn: ({ signal, pageParam: after }) =>
      api.get<KeptPage>('kept', { context, prefix, after }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: 0
  })
}

export function keptValueQuery(api: Api, context: string, key: string) {
  return queryOptions({
    queryKey: ['kept value', context, key],
    queryFn: ({ signal }) => api.get<KeptValue>('kept/value', { context, key }, { signal }),
    staleTime: 0
  })
}

export function usePutKept(context: string) {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ key, ...body }: KeptRequest) => api.put(pathOf(context, key), { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['kept', context] })
  })
}

export function useDeleteKept(context: string) {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (key: string) => api.delete(pathOf(context, key)),
    // Also where it was gone already: the list is old then.
    onSettled: () => queries.invalidateQueries({ queryKey: ['kept', context] })
  })
}

function pathOf(context: string, key: string): string {
  return `kept/value?${new URLSearchParams({ context, key })}`
}
