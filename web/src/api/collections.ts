import { queryOptions, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'

/** Texts that flows find again. */
export interface Collection {
  readonly id: string
  readonly name: string
  readonly context: string
  readonly connection: string | null
  readonly model: string | null
  readonly count: number
  readonly chunks: number
  readonly updated_at: string
  /** Texts that wait for their meaning; told of one collection alone. */
  readonly pending?: number
}

interface CollectionRequest {
  readonly name: string
  readonly context: string
  readonly connection: string | null
  readonly model: string | null
}

export interface CollectionText {
  readonly id: string
  readonly chunks: number
  readonly metadata: Readonly<Record<string, unknown>>
  readonly updated_at: string
}

interface TextPiece {
  readonly place: number
  readonly text: string
}

interface Match {
  readonly id: string
  readonly text: string
  readonly score: number
  readonly metadata: Readonly<Record<string, unknown>>
}

export type SearchMode = 'Both' | 'Meaning' | 'Words'

function collectionsQuery(api: Api) {
  return queryOptions({
    queryKey: ['collections'],
    queryFn: async ({ signal }) =>
      (await api.get<{ collections: Collection[] }>('collections', {}, { signal })).collections,
    // Flows write into them, and no event tells of that.
    staleTime: 0
  })
}

export function useCollections() {
  return useQuery(collectionsQuery(useApi()))
}

export function useCollection(id: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['collections', id],
    queryFn: ({ signal }) => api.get<Collection>(`collections/${encodeURIComponent(id)}`, {}, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => ((state.data?.pending ?? 0) > 0 ? 5_000 : false)
  })
}

export function useTexts(id: string) {
  const api = useApi()
  return useInfiniteQuery({
    queryKey: ['collections', id, 'texts'],
    queryFn: ({ pageParam, signal }) =>
      api.get<{ texts: CollectionText[]; next: string | null }>(
        `collections/${encodeURIComponent(id)}/texts`,
        { after: pageParam },
        { signal }
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 0
  })
}

export function usePieces(id: string, text: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['collections', id, 'pieces', text],
    queryFn: ({ signal }) =>
      api.get<{ pieces: TextPiece[]; next: number | null }>(
        `collections/${encodeURIComponent(id)}/chunks`,
        { text },
        { signal }
      ),
    staleTime: 0
  })
}

export function useSearchCollection(id: string) {
  const api = useApi()
  return useMutation({
    mutationFn: async (body: { query: string; mode: SearchMode }) =>
      (await api.post<{ matches: Match[] }>(`collections/${encodeURIComponent(id)}/search`, { body })).matches
  })
}

export function useMakeCollection() {
  const api = useApi()
  return useMutation({
    mutationFn: (body: CollectionRequest) => api.post<Collection>('collections', { body }),
    onSuccess: useReadAgain()
  })
}

export function useDeleteCollection() {
  const api = useApi()
  return useMutation({
    mutationFn: (id: string) => api.delete(`collections/${encodeURIComponent(id)}`),
    onSuccess: useReadAgain()
  })
}

export function useDeleteText(id: string) {
  const api = useApi()
  return useMutation({
    mutationFn: (text: string) =>
      api.delete(`collections/${encodeURIComponent(id)}/texts?${new URLSearchParams({ text })}`),
    onSuccess: useReadAgain()
  })
}

/** The text of a document, by its name: the same name again takes its place. */
export function useUploadDocument(id: string) {
  const api = useApi()
  return useMutation({
    mutationFn: (file: File) =>
      api.post(
        `collections/${encodeURIComponent(id)}/documents?${new URLSearchParams({ filename: file.name })}`,
        { text: file, headers: { 'content-type': file.type || 'application/octet-stream' } }
      ),
    onSuccess: useReadAgain()
  })
}

function useReadAgain() {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: ['collections'] })
}
