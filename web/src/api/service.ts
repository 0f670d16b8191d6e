import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { Setting as SettingSchema } from '../../../src/http/operations/settings-schema.ts'
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

/** What the operator has set. */
export type ToldSetting = Readonly<Static<typeof SettingSchema>>

/** For keys that administer the whole service. */
export function useSettings(isAsked: boolean) {
  const api = useApi()
  return useQuery({
    queryKey: ['settings'],
    queryFn: async ({ signal }) =>
      (await api.get<{ settings: ToldSetting[] }>('settings', {}, { signal })).settings,
    enabled: isAsked
  })
}

export function useServiceFacts() {
  return useQuery(serviceQuery(useApi()))
}

export function useHealth() {
  return useQuery(healthQuery(useApi()))
}
