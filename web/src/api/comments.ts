import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { Comment as CommentSchema } from '../../../src/http/flows/comment-schema.ts'
import { useApi } from './api-context.ts'
import { useAskAgain } from './asking-again.ts'
import { useLiveEvents } from './live.ts'

export type Comment = Readonly<Static<typeof CommentSchema>>

const NONE: readonly Comment[] = []

/** Oldest first. Live events keep them true. */
export function useComments(flow: string): readonly Comment[] {
  const api = useApi()
  return (
    useQuery({
      queryKey: ['comments', flow],
      queryFn: async ({ signal }) =>
        (await api.get<{ comments: readonly Comment[] }>(`flows/${flow}/comments`, {}, { signal })).comments
    }).data ?? NONE
  )
}

export function useFollowComments(flow: string): void {
  const askAgain = useAskAgain()
  useLiveEvents((events) => {
    const isTold = events.some(({ name, data }) => name === 'comments.changed' && data.flow_id === flow)
    if (isTold) askAgain({ queryKey: ['comments', flow] })
  })
}

export function useChangeComments(flow: string) {
  const api = useApi()
  const queries = useQueryClient()
  const onSuccess = () => queries.invalidateQueries({ queryKey: ['comments', flow] })
  const path = `flows/${flow}/comments`
  const write = useMutation({
    mutationFn: (written: { readonly text: string; readonly node: string | null }) =>
      api.post<Comment>(path, { body: written }),
    onSuccess
  })
  const mark = useMutation({
    mutationFn: ({ id, done }: { readonly id: string; readonly done: boolean }) =>
      api.patch<Comment>(`${path}/${id}`, { body: { done } }),
    onSuccess
  })
  const remove = useMutation({ mutationFn: (id: string) => api.delete(`${path}/${id}`), onSuccess })
  return { write, mark, remove }
}
