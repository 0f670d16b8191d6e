import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from './api-context.ts'

/** What models were used for, and what that cost. */
export interface UsageTotals {
  readonly calls: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cost: number
  readonly unpriced_calls: number
}

export interface UsageDay extends UsageTotals {
  readonly day: string
}

interface Usage {
  readonly since: string
  readonly until: string
  readonly total: UsageTotals
  readonly days: readonly UsageDay[]
  readonly models: readonly (UsageTotals & { readonly model: string })[]
  readonly flows: readonly (UsageTotals & { readonly flow_id: string | null; readonly name: string | null })[]
  readonly contexts: readonly (UsageTotals & { readonly context: string })[]
}

export interface Budget {
  readonly context: string
  readonly per_month: number | null
  readonly per_run: number | null
  readonly spent: number
  readonly state: 'ok' | 'near' | 'exceeded'
}

export interface ModelPrice {
  readonly model: string
  readonly input: number
  readonly cached: number
  readonly output: number
}

interface Prices {
  readonly currency: string
  readonly shipped_on: string
  readonly prices: readonly (ModelPrice & { readonly is_set: boolean })[]
}

export function useUsage(since: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['costs', 'usage', since],
    queryFn: ({ signal }) => api.get<Usage>('usage', { since }, { signal }),
    // Runs spend all the time.
    staleTime: 0
  })
}

export function useBudgets() {
  const api = useApi()
  return useQuery({
    queryKey: ['costs', 'budgets'],
    queryFn: async ({ signal }) => (await api.get<{ budgets: Budget[] }>('budgets', {}, { signal })).budgets,
    staleTime: 0
  })
}

export function usePrices() {
  const api = useApi()
  return useQuery({
    queryKey: ['costs', 'prices'],
    queryFn: ({ signal }) => api.get<Prices>('prices', {}, { signal }),
    staleTime: 0
  })
}

export function useSetBudget() {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: Pick<Budget, 'context' | 'per_month' | 'per_run'>) => api.put('budgets', { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['costs', 'budgets'] })
  })
}

export function useSetPrices() {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (prices: readonly ModelPrice[]) => api.put('prices', { body: { prices } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['costs', 'prices'] })
  })
}
