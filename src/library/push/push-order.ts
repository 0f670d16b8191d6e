import type { WantedConnection } from '../../connections/connection-change.ts'
import type { MillraceError } from '../../errors.ts'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import type { Maker } from '../edit.ts'
import type { ContextSettings } from '../made-context.ts'

/** Flows that are to be as they are sent, with what they need around them. */
export interface PushOrder {
  /** What is pushed to: flows that live elsewhere, or whose slugs begin otherwise, are not touched. */
  readonly scope: { readonly context: string; readonly prefix: string }
  readonly flows: readonly SentFlow[]
  readonly contexts: readonly WantedContext[]
  readonly connections: readonly Pick<WantedConnection, 'name' | 'kind' | 'context' | 'settings'>[]
  /** Whether flows of the scope that were not sent are deleted. */
  readonly isDeleting: boolean
  /** Whether contexts and connections that are there are changed to what was sent. */
  readonly changesSettings: boolean
  readonly origin: 'pushed' | 'file'
}

type SentFlow = Readonly<Record<string, unknown>>

export interface WantedContext {
  readonly path: string
  readonly variables: Readonly<Record<string, JsonValue>>
  readonly settings: ContextSettings
}

/** Whoever pushes, and what they may. */
export interface Pusher extends Required<Maker> {
  canSee(flow: { readonly id: string; readonly context: string }): boolean
  /** Why no flow may be put there; undefined where one may. */
  mayPut(context: string): MillraceError | undefined
  /** Whether they may make contexts and change what they hold. */
  readonly mayChangeContexts: boolean
  administers(context: string): boolean
  /** Steps may reach addresses that they wrote, whatever network they are in. */
  readonly mayTrust: boolean
}
