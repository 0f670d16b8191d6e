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
