import { useMutation } from '@tanstack/react-query'
import type { JsonValue } from '../../../src/flows/json/exact-json.ts'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'
import type { Step } from './shapes.ts'

/** What came of a node that was run by itself. */
export interface TriedNode {
  readonly status: 'succeeded' | 'failed'
  readonly outputs: Readonly<Record<string, JsonValue>> | null
  readonly error: { readonly code: string; readonly message: string } | null
  readonly duration_ms: number
  readonly logs?: Step['logs']
}

/** What it is tried with: fields as typed, and inputs of one's own; else those that are pinned or came last. */
interface NodeTrial {
  readonly fields: Readonly<Record<string, unknown>>
  readonly inputs?: Readonly<Record<string, JsonValue>>
}

/** Undefined where the key may not read what came of it. */
export function tryNode(
  api: Api,
  { flow, node }: { readonly flow: string; readonly node: string },
  trial: NodeTrial,
  signal: AbortSignal
): Promise<TriedNode | undefined> {
  return api.post(`flows/${flow}/nodes/${encodeURIComponent(node)}/run`, { body: trial, signal })
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
