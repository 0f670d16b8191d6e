import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ApiBody, ApiParameter } from '../../../src/flows/step/api-operation.ts'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'
import { useVisibleConnections } from './connections.ts'

interface FoundOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly title: string
}

/** What the service tells of one operation of an API. */
export interface Operation extends FoundOperation {
  readonly description: string
  readonly deprecated: boolean
  readonly parameters: readonly ApiParameter[]
  readonly body: ApiBody | null
}

/** One among those of all connections that a flow can name. */
export interface OfferedOperation extends FoundOperation {
  readonly connection: string
}

/** What a connection says of its document. */
interface ConnectionDocument {
  readonly format: string
  readonly title: string
  readonly version: string
  readonly server: string | null
  readonly operations: number
  readonly size: number
}

/** They change with the document alone, of which no event tells. */
const STALE_MS = 30_000

interface Asked {
  /** What is looked for, in words. */
  readonly q?: string
  /** One alone, by its name. */
  readonly operation?: string
}

/** Of the connection that flows of the context mean by this name; none where it has no document. */
export function useOperations(context: string, connection: string, asked: Asked, isEnabled: boolean) {
  const api = useApi()
  const visible = useVisibleConnections(context)
  const seen = visible.data?.find(({ name }) => name === connection)
  const hasDocument = seen !== undefined && seen.document !== null
  const found = useQuery({
    queryKey: ['operations', seen?.id, seen?.document?.title, asked],
    queryFn: async ({ signal }) => {
      const path = `connections/${encodeURIComponent(seen!.id)}/operations`
      const query = { ...asked, limit: 30 }
      return (await api.get<{ operations: Operation[] }>(path, query, { signal })).operations
    },
    enabled: isEnabled && hasDocument,
    staleTime: STALE_MS,
    placeholderData: (before) => (asked.operation === undefined ? before : undefined),
    retry: false
  })
  return { ...found, hasDocument, isKnown: visible.data !== undefined }
}

/** What all connections offer that a flow of the context can name, for what somebody typed. */
export function offeredOperations(api: Api, context: string, q: string) {
  return queryOptions({
    queryKey: ['operations', 'offered', context, q],
    queryFn: async ({ signal }) => {
      const query = { context, q, limit: 12 }
      const found = await api.get<{ operations: OfferedOperation[] }>('connections/operations', query, {
        signal
      })
      return found.operations
    },
    staleTime: STALE_MS,
    retry: false
  })
}

export function useOfferedOperations(context: string, q: string) {
  // Of fewer letters there is no telling what is meant.
  return useQuery({ ...offeredOperations(useApi(), context, q), enabled: q.trim().length > 2 })
}

export function useConnectionDocument(connection: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['connections', 'document', connection],
    queryFn: ({ signal }) => api.get<ConnectionDocument>(pathOf(connection), {}, { signal }),
    retry: false
  })
}

/** Sends a document in place of the one that there is; null takes that away. */
export function useChangeDocument(connection: string) {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (text: string | null) => {
      if (text === null) await api.delete(pathOf(connection))
      else await api.put<ConnectionDocument>(pathOf(connection), { text })
    },
    onSuccess: async () => {
      void queries.invalidateQueries({ queryKey: ['operations'] })
      queries.removeQueries({ queryKey: ['connections', 'document', connection] })
      await queries.invalidateQueries({ queryKey: ['connections'] })
    }
  })
}

function pathOf(connection: string): string {
  return `connections/${encodeURIComponent(connection)}/document`
}
