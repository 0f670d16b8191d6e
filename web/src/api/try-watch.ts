import { useMutation } from '@tanstack/react-query'
import type { JsonValue } from '../../../src/flows/json/exact-json.ts'
import { useApi } from './api-context.ts'

/** What a Watch finds now. */
export interface FoundByWatch {
  readonly status: 'succeeded' | 'failed'
  readonly count: number
  readonly new_count: number
  readonly items: readonly { readonly item: JsonValue; readonly is_new: boolean }[]
  readonly error: { readonly code: string; readonly message: string } | null
}

/** Looks once with the fields as they are typed. Undefined where the key may not read what came of it. */
export function useTryWatch(flow: string, node: string) {
  const api = useApi()
  return useMutation({
    mutationFn: (fields: Readonly<Record<string, unknown>>): Promise<FoundByWatch | undefined> =>
      api.post(`flows/${flow}/nodes/${encodeURIComponent(node)}/look`, { body: { fields } })
  })
}
