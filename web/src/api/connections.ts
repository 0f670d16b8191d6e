import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { SettingCondition } from '../../../src/connections/kinds/setting-condition.ts'
import type { Preset } from '../../../src/connections/presets/preset.ts'
import type { UseState } from '../../../src/flows/validate/connection-uses.ts'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'

/** An address with what it takes to get in. What its secrets are, nobody is told. */
export interface Connection {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly context: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, 'set'>>
  /** Steps may reach its address in any network. */
  readonly trusted: boolean
  readonly created_at: string
  readonly updated_at: string
}

export interface ConnectionRequest {
  readonly name: string
  readonly kind: string
  readonly context: string
  readonly settings: Readonly<Record<string, unknown>>
  /** One that is left out stays as it is; null takes it away. */
  readonly secrets: Readonly<Record<string, string | null>>
}

export interface ConnectionKind {
  readonly kind: string
  readonly title: string
  readonly description: string
  /** A JSON Schema: see src/connections/kinds/kinds.ts. */
  readonly settings: SettingsSchema
  readonly secrets: readonly SecretFacts[]
}

interface SettingsSchema {
  readonly properties: Readonly<Record<string, SettingSchema>>
  readonly required?: readonly string[]
}

export interface SettingSchema {
  readonly title?: string
  readonly description?: string
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly SettingSchema[]
  readonly default?: unknown
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly shown_when?: SettingCondition
  readonly needed_when?: SettingCondition
  readonly value_titles?: Readonly<Record<string, string>>
  /** `none`: no form asks for it. `last`: behind the secrets. */
  readonly form?: 'none' | 'last'
}

export interface SecretFacts {
  readonly name: string
  readonly title: string
  readonly shown_when: SettingCondition | null
  readonly needed_when: SettingCondition | null
}

/** How a service that is known is connected to. */
export type ConnectionPreset = Preset

/** What a flow in some context can name. */
export interface SeenConnection {
  readonly id: string
  /** What its API offers, if it says so. */
  readonly document: { readonly title: string; readonly operations: number } | null
  readonly name: string
  readonly kind: string
  readonly context: string
  readonly inherited_from: string | null
  readonly hides: readonly { readonly kind: string; readonly context: string }[]
}

/** A node that names a connection, and how that stands. */
export interface NamedConnection {
  readonly flow_id: string
  readonly flow_name: string
  readonly flow_context: string
  readonly node: string
  readonly field: string
  readonly name: string
  readonly kinds: readonly string[]
  readonly state: UseState
  /** Of the connection that is meant; null where there is none. */
  readonly kind: string | null
  readonly context: string | null
  /** Named by the draft of the flow, and not by what is live. */
  readonly draft: boolean
}

export function connectionsQuery(api: Api) {
  return queryOptions({
    queryKey: ['connections'],
    queryFn: async ({ signal }) =>
      (await api.get<{ connections: Connection[] }>('connections', {}, { signal })).connections,
    // No event tells of connections that others make: what is kept is shown only until the answer comes.
    staleTime: 0
  })
}

export function useConnections() {
  return useQuery(connectionsQuery(useApi()))
}

interface Kinds {
  readonly kinds: ConnectionKind[]
  /** Where providers send people back to who sign in for a connection. */
  readonly redirect_uri: string
}

function kindsQuery(api: Api) {
  return queryOptions({
    queryKey: ['connection-kinds'],
    queryFn: ({ signal }) => api.get<Kinds>('connections/kinds', {}, { signal }),
    // They are fixed when the service starts.
    staleTime: 5 * 60_000
  })
}

export function useConnectionKinds() {
  return useQuery({ ...kindsQuery(useApi()), select: ({ kinds }: Kinds) => kinds })
}

export function useRedirectUri(): string | undefined {
  return useQuery({ ...kindsQuery(useApi()), select: ({ redirect_uri }: Kinds) => redirect_uri }).data
}

export function connectionPresets(api: Api) {
  return queryOptions({
    queryKey: ['connection-presets'],
    queryFn: async ({ signal }) =>
      (await api.get<{ presets: ConnectionPreset[] }>('connections/presets', {}, { signal })).presets,
    // They belong to the version of the service.
    staleTime: Number.POSITIVE_INFINITY
  })
}

export function useConnectionPresets({ enabled }: { readonly enabled: boolean }) {
  return useQuery({ ...connectionPresets(useApi()), enabled })
}

/** What the flows of a context can name. The nodes of a canvas ask one by one, and do with what is a little older. */
export function useVisibleConnections(context: string) {
  const api = useApi()
  return useQuery({
    queryKey: visibleKey(context),
    queryFn: async ({ signal }) =>
      (await api.get<{ connections: SeenConnection[] }>('connections/visible', { context }, { signal }))
        .connections
  })
}

/** The same as far as it was read already, for who does not wait. */
export function visibleConnections(queries: QueryClient, context: string): readonly SeenConnection[] {
  return queries.getQueryData(visibleKey(context)) ?? []
}

function visibleKey(context: string) {
  return ['connections', 'visible', context]
}

/** Which connections flows name; of one flow, or of all that the key reads. */
export function connectionUsesQuery(api: Api, flow?: string) {
  return queryOptions({
    queryKey: ['connections', 'uses', flow ?? 'all'],
    queryFn: async ({ signal }) =>
      (await api.get<{ uses: NamedConnection[] }>('connections/uses', { flow }, { signal })).uses,
    staleTime: 0
  })
}

export function useConnectionUses({ enabled }: { readonly enabled: boolean }) {
  return useQuery({ ...connectionUsesQuery(useApi()), enabled })
}

export function useMakeConnection() {
  const api = useApi()
  const read = useReadAgain()
  return useMutation({
    mutationFn: (request: ConnectionRequest) => api.post<Connection>('connections', { body: request }),
    onSuccess: read
  })
}

export function useChangeConnection(id: string) {
  const api = useApi()
  const read = useReadAgain()
  return useMutation({
    mutationFn: (request: ConnectionRequest) => api.put<Connection>(`connections/${id}`, { body: request }),
    onSuccess: read
  })
}

export function useDeleteConnection() {
  const api = useApi()
  const read = useReadAgain()
  return useMutation({ mutationFn: (id: string) => api.delete(`connections/${id}`), onSuccess: read })
}

/** Brings back one that was deleted. */
export function useUndeleteConnection() {
  const api = useApi()
  const read = useReadAgain()
  return useMutation({ mutationFn: (id: string) => api.post(`connections/${id}/undelete`), onSuccess: read })
}

/** One that was deleted, and can be brought back. */
interface DeletedConnection {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly context: string
  readonly deleted_at: string
  readonly deleted_by: string | null
}

export function useDeletedConnections(): readonly DeletedConnection[] {
  const api = useApi()
  const { data = [] } = useQuery({
    queryKey: ['connections', 'deleted'],
    queryFn: async ({ signal }) =>
      (await api.get<{ connections: DeletedConnection[] }>('connections/deleted', {}, { signal })).connections
  })
  return data
}

/** Where a person signs in for a connection. */
export interface SignInPlace {
  readonly url: string
  /** What the provider has to know as the client's. */
  readonly redirect_uri: string
}

export function useBeginSignIn({ id }: Connection) {
  const api = useApi()
  return useMutation({ mutationFn: () => api.post<SignInPlace>(`connections/${id}/sign-in`) })
}

/** Contexts tell of connections too. */
function useReadAgain() {
  const queries = useQueryClient()
  return async () => {
    void queries.invalidateQueries({ queryKey: ['contexts'] })
    await queries.invalidateQueries({ queryKey: ['connections'] })
  }
}
