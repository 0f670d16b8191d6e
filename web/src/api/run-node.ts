import { useMutation } from '@tanstack/react-query'
import type { JsonValue } from '../../../src/flows/exact-json.ts'
import { useApi } from './api-context.ts'

/** What came of a node that was run by itself. */
export interface TriedNode {
  readonly status: 'succeeded' | 'failed'
  readonly outputs: Readonly<Record<string, JsonValue>> | null
  readonly error: { readonly code: string; readonly message: string } | null
  readonly duration_ms: number
}

/** Runs one node of the draft with the inputs of the last run; nothing of it is stored. */
export function useRunNode(flow: string, node: string) {
  const api = useApi()
  return useMutation({
    mutationFn: (before: () => Promise<unknown>) =>
      before().then(() =>
        api.post<TriedNode>(`flows/${flow}/nodes/${encodeURIComponent(node)}/run`, { body: {} })
      )
  })
}
