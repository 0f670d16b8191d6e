import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { KeptDraft as KeptDraftSchema } from '../../../src/http/flows/kept-draft-schema.ts'
import type { Flow } from '../editor/graph/flow.ts'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'

/** A draft whose place something else has taken. */
export type KeptDraft = Readonly<Static<typeof KeptDraftSchema>>

/** Keeps the draft as the service has it; nothing happens where there is none, or it was kept already. */
export function keepDraft(api: Api, flow: string, because: KeptDraft['because']): Promise<unknown> {
  return api.post(`flows/${flow}/draft/kept`, { body: { because } })
}

/** Newest first. */
export function useKeptDrafts(flow: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['kept-drafts', flow],
    queryFn: async ({ signal }) =>
      (await api.get<{ drafts: KeptDraft[] }>(`flows/${flow}/draft/kept`, {}, { signal })).drafts,
    staleTime: 0
  })
}

export function keptDraftQuery(api: Api, flow: string, number: number) {
  return queryOptions({
    queryKey: ['kept-draft', flow, number],
    queryFn: ({ signal }) =>
      api.get<KeptDraft & { readonly document: Flow }>(`flows/${flow}/draft/kept/${number}`, {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY
  })
}
