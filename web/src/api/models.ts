import { useQuery } from '@tanstack/react-query'
import { useApi } from './api-context.ts'

/** Of the provider that flows of the context mean by this name. Asked for when somebody is about to choose one. */
export function useModels(context: string, connection: string, { enabled }: { readonly enabled: boolean }) {
  const api = useApi()
  return useQuery({
    queryKey: ['models', context, connection],
    queryFn: async ({ signal }) => {
      const query = { context, connection }
      const { models } = await api.get<{ models: { name: string }[] }>('connections/models', query, {
        signal
      })
      return models.map(({ name }) => name)
    },
    enabled: enabled && connection !== '',
    // As long as the service keeps them; what could not be had is asked for again when the field is entered again.
    staleTime: 60_000,
    retry: false
  })
}

export interface ListedModel {
  readonly name: string
  /** Left out where the provider says nothing of it. */
  readonly can?: readonly string[]
  readonly context_tokens?: number
}

/** All of the provider, with what each can do. */
export function useAllModels(context: string, connection: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['models', context, connection, 'all'],
    queryFn: async ({ signal }) => {
      const query = { context, connection, all: true }
      return (await api.get<{ models: ListedModel[] }>('connections/models', query, { signal })).models
    },
    staleTime: 60_000,
    retry: false
  })
}
