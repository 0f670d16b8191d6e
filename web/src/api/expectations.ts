import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type {
  Check as CheckSchema,
  Expectation as ExpectationSchema
} from '../../../src/http/flows/expectation-schema.ts'
import { useApi } from './api-context.ts'

export type Check = Readonly<Static<typeof CheckSchema>>
export type Expectation = Readonly<Static<typeof ExpectationSchema>>
export type CheckedExpectation = Check['expectations'][number]

const keyOf = (flow: string) => ['expectations', flow]

/** The draft at this revision, held against what is expected of the flow. */
export function useExpectations(flow: string, revision: number, isWanted: boolean) {
  const api = useApi()
  return useQuery({
    queryKey: [...keyOf(flow), revision],
    queryFn: ({ signal }) => api.post<Check>(`flows/${flow}/expectations/check`, { body: {}, signal }),
    enabled: isWanted,
    staleTime: 0,
    retry: false
  })
}

/** Keeps what a run did, or what the draft does with the same, or removes what was kept. */
export function useChangeExpectations(flow: string) {
  const api = useApi()
  const queries = useQueryClient()
  const onSuccess = () => queries.invalidateQueries({ queryKey: keyOf(flow) })
  const keep = useMutation({
    mutationFn: (kept: { readonly run_id: string; readonly of: Expectation['of'] }) =>
      api.post<Expectation>(`flows/${flow}/expectations`, { body: kept }),
    onSuccess
  })
  const remove = useMutation({
    mutationFn: (id: string) => api.delete(`flows/${flow}/expectations/${id}`),
    onSuccess
  })
  return { keep, remove }
}
