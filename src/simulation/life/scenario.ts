import type { DispatchSizes } from '../../runs/dispatch/dispatch-sizes.ts'
import type { AnswerOrder } from '../faults/store-proxy.ts'
import type { FlowSpec } from './flow-spec.ts'

/** What happens to the service in one scenario. Where one names a run or a flow, it does so by a share of those there are. */
export type LifeEvent = { readonly at: number } & (
  | {
      readonly kind: 'webhook'
      readonly flow: number
      readonly value: number
      readonly key: number
      readonly bytes: number
    }
  /** A draft of the flow is tried out, that has so many of its segments, the last ones first. */
  | { readonly kind: 'test'; readonly flow: number; readonly value: number; readonly length: number }
  /** A call to a run that waits for one, or has not come to do so. */
  | { readonly kind: 'call'; readonly share: number; readonly early: boolean }
  | { readonly kind: 'answer'; readonly share: number; readonly choice: 'Approve' | 'Reject' }
  | { readonly kind: 'wake'; readonly share: number }
  | { readonly kind: 'cancel' | 'retry' | 'retry-items' | 'replay'; readonly share: number }
  | { readonly kind: 'pause'; readonly flow: number; readonly mode: 'hold' | 'refuse' }
  | { readonly kind: 'resume' | 'publish' | 'delete' | 'undelete' | 'purge'; readonly flow: number }
  | { readonly kind: 'leave-context' | 'delete-context'; readonly context: number }
  /** After so many further steps the process dies, or is asked to stop and started again. */
  | { readonly kind: 'die' | 'restart'; readonly steps: number }
  /** So many writes are refused: of this call of the store, or of any. */
  | { readonly kind: 'refuse'; readonly writes: number; readonly call: string }
  /** So many calls of the store are done, and their answers are lost. */
  | { readonly kind: 'lose'; readonly writes: number; readonly call: string }
  /** A commit is done and answered as if it were not. Nothing is written any more, and after so many further steps the process dies. */
  | { readonly kind: 'tear'; readonly call: string; readonly steps: number }
  | { readonly kind: 'full' | 'down' | 'shaky'; readonly ms: number }
  | { readonly kind: 'jump'; readonly ms: number }
  /** A process stands still for so long, and goes on as if nothing had been. */
  | { readonly kind: 'freeze'; readonly ms: number }
)

export interface Scenario {
  readonly seed: number
  readonly features: readonly string[]
  /** Below the root: by their number, from 1. */
  readonly contexts: number
  readonly flows: readonly FlowSpec[]
  readonly events: readonly LifeEvent[]
  readonly answers: AnswerOrder
  readonly disorder: number
  readonly costMs: number
  readonly sizes: DispatchSizes
  readonly places: number
  readonly retentionMs: number | null
  /** Processes that share the store; one where it is left out. */
  readonly processes?: number
  /** Of so many signals between them, from 0 to 1, nobody hears. */
  readonly unheard?: number
}
