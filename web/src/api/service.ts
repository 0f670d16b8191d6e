import { queryOptions, useQuery } from '@tanstack/react-query'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'

interface ServiceFacts {
  readonly name: string
  readonly version: string
  readonly store: string
  readonly node: string
}

interface Health {
  readonly isReady: boolean
  /** What is wrong, in the service's words. */
  readonly detail: string | null
}

function serviceQuery(api: Api) {
  return queryOptions({
    queryKey: ['service'],
    queryFn: ({ signal }) => api.get<ServiceFacts>('version', {}, { signal })
  })
}

function healthQuery(api: Api) {
  return queryOptions({
    queryKey: ['health'],
    queryFn: async (): Promise<Health> => {
      const response = await api.getPlain('readyz')
      const { detail = null } = (await response.json()) as { detail?: string | null }
      return { isReady: response.ok, detail }
    },
    refetchInterval: 15_000
  })
}

export function useServiceFacts() {
  return useQuery(serviceQuery(useApi()))
}

export function useHealth() {
  return useQuery(healthQuery(useApi()))
}
