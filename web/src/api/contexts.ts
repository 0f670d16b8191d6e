import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { RegistrationKind } from '../../../src/contexts/registration.ts'
import type { JsonValue } from '../../../src/flows/json/exact-json.ts'
import type { WebhookAuth } from '../../../src/flows/webhook-auth.ts'
import { useApi } from './api-context.ts'
import type { Flow } from './shapes.ts'

export type { RegistrationKind } from '../../../src/contexts/registration.ts'

export interface Registration {
  readonly kind: RegistrationKind
  readonly name: string
  readonly context: string
  readonly owner: string
  readonly source: string | null
  readonly value?: JsonValue
}

export type SeenRegistration = Registration & { readonly inherited_from: string | null }

export interface ContextLimits {
  readonly rate_limit?: number
  readonly concurrency?: number
  readonly step_output_bytes?: number
  readonly run_output_bytes?: number
}

export interface ContextFacts {
  readonly path: string
  readonly name: string
  readonly parent: string | null
  /** Made by a plugin, or at run time and so changeable here. */
  readonly kind: 'code' | 'data'
  readonly id: string | null
  readonly owner: string
  readonly source: string | null
  readonly registers: readonly Registration[]
  readonly sees: readonly SeenRegistration[]
  readonly flows: readonly { readonly id: string; readonly slug: string }[]
  readonly variables?: Readonly<Record<string, JsonValue>>
  readonly default_auth?: WebhookAuth | null
  readonly limits?: ContextLimits
}

/**
 * No event tells of contexts that others make: to who looks at them or chooses one, what is kept is shown only until
 * the answer comes. The nodes of a canvas ask one by one as they are drawn, and do with what is a little older.
 */
export function useContexts({ staleTime = 0 }: { readonly staleTime?: number } = {}) {
  const api = useApi()
  return useQuery({
    queryKey: ['contexts'],
    queryFn: async ({ signal }) =>
      (await api.get<{ contexts: ContextFacts[] }>('contexts', {}, { signal })).contexts,
    staleTime
  })
}

export interface Question {
  readonly context: string
  readonly kind: RegistrationKind
  readonly name: string
}

interface RegisteredAt {
  readonly registered_in: string
  readonly registered_by: string
  readonly source: string | null
}

export type Explanation = Question & { readonly explanation: string } & (
    | ({ readonly visible: true; readonly inherited_from: string | null } & RegisteredAt)
    | {
        readonly visible: false
        readonly because: 'descendant' | 'sibling' | 'unknown'
        readonly elsewhere: readonly RegisteredAt[]
        readonly remedy: string
      }
  )

/** Why a context sees a name, or why not. */
export function useExplanation(question: Question | undefined) {
  const api = useApi()
  return useQuery({
    queryKey: ['contexts', 'explain', question],
    queryFn: ({ signal }) => api.get<Explanation>('contexts/explain', { ...question }, { signal }),
    enabled: question !== undefined
  })
}

export interface ContextChange {
  readonly name?: string
  readonly parent?: string
  readonly variables?: Readonly<Record<string, JsonValue>>
  readonly default_auth?: WebhookAuth | null
  /** All of them: what is left out is not set any more. */
  readonly limits?: ContextLimits
}

export function useCreateContext() {
  const api = useApi()
  const read = useReadAgain()
  return useMutation({
    mutationFn: (news: { readonly name: string; readonly parent: string }) =>
      api.post<ContextFacts>('contexts', { body: news }),
    onSuccess: read
  })
}

export function useChangeContext(path: string) {
  const api = useApi()
  const read = useReadAgain()
  return useMutation({
    mutationFn: (change: ContextChange) => api.patch<ContextFacts>(addressOf(path), { body: change }),
    onSuccess: read
  })
}

export function useDeleteContext() {
  const api = useApi()
  const read = useReadAgain()
  return useMutation({ mutationFn: (path: string) => api.delete(addressOf(path)), onSuccess: read })
}

/** Saves the flow's newest version with another context. The service refuses it where the flow could not live. */
export function useMoveFlow() {
  const api = useApi()
  const queries = useQueryClient()
  const read = useReadAgain()
  return useMutation({
    mutationFn: async ({ flow, context }: { readonly flow: string; readonly context: string }) => {
      const newest = await api.get<Flow>(`flows/${flow}`)
      return api.put<Flow>(`flows/${flow}`, { body: { ...newest, context } })
    },
    onSuccess: async () => {
      void queries.invalidateQueries({ queryKey: ['flows'] })
      await read()
    }
  })
}

function addressOf(path: string): string {
  return `contexts/${encodeURIComponent(path)}`
}

/** A change of one context changes what those below it see. */
function useReadAgain() {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: ['contexts'] })
}
