import type { JsonValue } from '../json/exact-json.ts'
import type { OpenConnection } from '../step/step-connection.ts'

/** What started a run: a request, or a trigger by the name that its component gives it. */
export type RunTrigger = 'webhook' | 'chat' | 'api' | (string & Record<never, never>)

/** A node of a version of a flow, outside of any run. `V` are the values of its fields. */
export interface LiveNode<V> {
  readonly node: string
  readonly fields: V
  readonly flow: { readonly id: string; readonly version: number; readonly context: string }
  /** Aborted when the node is to let go. */
  readonly signal: AbortSignal
  /** As in a step: through the guard. It ends with the signal. */
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>
  readonly connection: (name: string, kinds?: readonly string[]) => OpenConnection
}

export interface StartRunOptions {
  /** What is unique to this event. One that was given before, within a day, starts nothing: the id of the first run is given. */
  readonly id?: string
}

/** A trigger that is to start runs now. */
export interface StartedTrigger<V> extends LiveNode<V> {
  /**
   * Starts a run with this input; resolves to its id when nothing can lose it any more. Rejects when the service cannot take
   * it now, and when the trigger was stopped: do not acknowledge the event then.
   */
  readonly startRun: (input: JsonValue, options?: StartRunOptions) => Promise<string>
  /** Tells that the trigger works no longer: it is stopped, and started again after a while. */
  readonly failed: (error: unknown) => void
}

export type StopTrigger = () => unknown

// biome-ignore lint/suspicious/noConfusingVoidType: a trigger that only listens to its signal returns nothing
type Started = StopTrigger | void

/** What a component may do besides its steps. */
export interface LifeOfNode<V, R> {
  /**
   * Of a trigger: called when a version of a flow with it goes live, in one process among all. Returns what stops it, which
   * is awaited before it is started anywhere again. Where it throws it is tried again, later and later.
   */
  readonly start?: (trigger: StartedTrigger<V>) => Started | Promise<Started>
  /**
   * Makes what the steps of one version share, such as a pool: when its first step needs it, in each process by itself. The
   * steps find it in `opened`.
   */
  readonly open?: (node: LiveNode<V>) => R | Promise<R>
  /** Lets go of it: the version is not live any more, or is paused, and no step uses it. */
  readonly close?: (opened: R) => unknown
}
