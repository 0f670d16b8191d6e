import { queryOptions, useQuery } from '@tanstack/react-query'
import type { JsonValue } from '../../../src/flows/exact-json.ts'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'

export interface Registration {
  readonly kind: string
  readonly name: string
  readonly context: string
  readonly owner: string
  readonly source: string | null
  readonly value?: JsonValue
}

export interface ContextFacts {
  readonly path: string
  readonly name: string
  readonly parent: string | null
  /** Made by a plugin, or at run time and so changeable here. */
  readonly kind: 'code' | 'data'
  readonly id: string | null
  readonly owner: string
  readonly source: string | null
  readonly registers: readonly Registration[]
  readonly sees: readonly (Registration & { readonly inherited_from: string | null })[]
  readonly flows: readonly { readonly id: string; readonly slug: string }[]
  readonly variables?: Readonly<Record<string, JsonValue>>
  readonly default_auth?: 'API key' | 'Signature' | 'None' | null
  readonly limits?: { readonly rate_limit?: number; readonly concurrency?: number }
}

export function contextsQuery(api: Api) {
  return queryOptions({
    queryKey: ['contexts'],
    queryFn: async ({ signal }) =>
      (await api.get<{ contexts: ContextFacts[] }>('contexts', {}, { signal })).contexts
  })
}

export function useContexts() {
  return useQuery(contextsQuery(useApi()))
}
