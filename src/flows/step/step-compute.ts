import type { JsonValue } from '../json/exact-json.ts'

/**
 * People's code, to be run in a thread beside the service's own, where there is no network, file, clock, secret or
 * process. It is the same for the same step: the time inside is when the run was accepted, and chance follows from the
 * run and the node.
 */
export interface Computation {
  /** `javascript` is the body of an async function of `data`, with or without types of TypeScript. */
  readonly language: 'javascript' | 'jsonata'
  readonly source: string
  readonly data: JsonValue
  readonly timeoutMs: number
  readonly memoryMb: number
}

/** What came of it. What it wrote to the console is among the logs of the step. */
export type Computed =
  | { readonly kind: 'returned'; readonly value: JsonValue }
  /** It gave nothing back. */
  | { readonly kind: 'silent' }
  | ComputationFault

export interface ComputationFault {
  readonly kind: 'failed'
  readonly why: ComputationFailure
  /** What it said, such as "TypeError: not a function"; empty where there is nothing to say besides `why`. */
  readonly message: string
  /** In the source, from 1. */
  readonly line?: number
  readonly column?: number
}

/**
 * `unsettled`: it waits for what never comes. `result`: what it gave back is not JSON; the message says what and where.
 * `size`: it is larger than a step may put out, of which there is no message. `crash`: the thread ended, or did not begin.
 */
export type ComputationFailure =
  | 'syntax'
  | 'error'
  | 'timeout'
  | 'memory'
  | 'unsettled'
  | 'result'
  | 'size'
  | 'crash'

export type Compute = (computation: Computation) => Promise<Computed>
