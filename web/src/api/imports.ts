import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { NeededConnection, NodeReport, Verdict } from '../../../src/import/imported-flow.ts'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'

export type { NodeReport, Verdict }

export type Needed = Omit<NeededConnection, 'preset'> & { readonly preset: string | null }

export interface FlowReport {
  /** Null where nothing was saved. */
  readonly id: string | null
  readonly slug: string
  readonly name: string
  readonly nodes: readonly NodeReport[]
  readonly wires: { readonly kept: number; readonly lost: number }
  /** Nodes with what was pinned there. */
  readonly pinned: number
  readonly needs: readonly Needed[]
}

/** What comes of a file, or would. */
export interface ImportReport {
  readonly format: 'langflow' | 'n8n' | 'node-red' | 'flowise' | 'millrace'
  /** What stood in the files and was not read. */
  readonly left_out: readonly string[]
  readonly flows: readonly FlowReport[]
}

const IMPORTS = 'imports'

/** What would come of a file in a context; nothing is saved. */
export function importQuery(api: Api, file: File, context: string) {
  return queryOptions({
    queryKey: [IMPORTS, file.name, file.size, file.lastModified, context],
    queryFn: () => send(api, file, context, true),
    // The file stays what it is; what it misses is asked for again when a connection was made.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false
  })
}

export function useReadImportsAgain(): () => void {
  const queries = useQueryClient()
  return () => void queries.invalidateQueries({ queryKey: [IMPORTS] })
}

/** Saves its flows as drafts. */
export function useImportFile(file: File) {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (context: string) => send(api, file, context, false),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['flows'] })
  })
}

function send(api: Api, file: File, context: string, isDry: boolean): Promise<ImportReport> {
  const query = new URLSearchParams({ context, dry_run: String(isDry) })
  return api.post(`import?${query}`, { text: file, headers: { 'content-type': 'application/octet-stream' } })
}
