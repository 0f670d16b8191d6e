import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'
import { readAllFlows } from './read-all-flows.ts'
import type { Flow, FlowDocument } from './shapes.ts'

export function flowsQuery(api: Api) {
  return queryOptions({
    queryKey: ['flows'],
    queryFn: ({ signal }) => readAllFlows(api, signal)
  })
}

/** One flow, by its id or its slug. */
function flowQuery(api: Api, flow: string) {
  return queryOptions({
    queryKey: ['flow', flow],
    queryFn: ({ signal }) => api.get<Flow>(`flows/${encodeURIComponent(flow)}`, {}, { signal })
  })
}

export function useFlows() {
  return useQuery(flowsQuery(useApi()))
}

export function useFlow(flow: string) {
  return useQuery(flowQuery(useApi(), flow))
}

/** A flow that was read already, followed by its id: its slug, by which it may have been read, can be changed. */
export function useReadFlow(flow: Flow) {
  return useQuery({ ...flowQuery(useApi(), flow.id), initialData: flow })
}

/** What a new flow is made of; the slug may be left to the service. */
export type NewFlow = Omit<FlowDocument, 'slug'> & { readonly slug?: string }

export function useCreateFlow() {
  return useMaking((api, document: NewFlow) => api.post<Flow>('flows', { body: document }))
}

/** The same, of which nothing is live before somebody publishes it; resolves to its id. */
export function useCreateDraft() {
  return useMaking(async (api, document: NewFlow) => {
    const query = new URLSearchParams({ context: document.context })
    const { flows } = await api.post<{ flows: [{ id: string }] }>(`import?${query}`, { body: document })
    return flows[0].id
  })
}

function useMaking<Made>(make: (api: Api, document: NewFlow) => Promise<Made>) {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (document: NewFlow) => make(api, document),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['flows'] })
  })
}

export function useUndeleteFlow() {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.post<Flow>(`flows/${id}/undelete`),
    onSuccess: (flow) => {
      queries.setQueryData(['flow', flow.id], flow)
      return queries.invalidateQueries({ queryKey: ['flows'] })
    }
  })
}
