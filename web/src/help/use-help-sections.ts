import { useQuery } from '@tanstack/react-query'
import { useApi } from '../api/api-context.ts'
import { useComponents } from '../api/components.ts'
import type { HelpSection } from './find-help.ts'

/**
 * All that a search in the help looks at: its documents, errors and components, and where there is time for it the
 * operations of the API, of which the service tells in 400 kB. Undefined until the first of it is there.
 */
export function useHelpSections(withApi: boolean): readonly HelpSection[] | undefined {
  const api = useApi()
  const { data: components } = useComponents('/')
  const { data: index } = useQuery({
    queryKey: ['help-index'],
    queryFn: loadIndex,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false
  })
  const { data: operations } = useQuery({
    queryKey: ['help-operations'],
    queryFn: async () => (await loadIndex()).apiSections(await api.get('openapi.json')),
    enabled: withApi,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false
  })
  if (index === undefined) return undefined
  return [
    ...index.docs,
    ...index.referenceSections(),
    ...index.componentSections(components ?? []),
    ...index.errorSections(),
    ...(operations ?? [])
  ]
}

async function loadIndex() {
  const [{ DOC_SECTIONS: docs }, reference] = await Promise.all([
    import('./doc-index.ts'),
    import('./reference-index.ts')
  ])
  return { docs, ...reference }
}
