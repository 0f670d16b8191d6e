import { queryOptions, useQuery } from '@tanstack/react-query'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'
import type { Run } from './shapes.ts'

export function runQuery(api: Api, run: string) {
  return queryOptions({
    queryKey: ['run', run],
    queryFn: ({ signal }) => api.get<Run>(`runs/${encodeURIComponent(run)}`, {}, { signal })
  })
}

export function useRun(run: string) {
  return useQuery(runQuery(useApi(), run))
}
