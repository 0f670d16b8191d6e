import type { JsonValue } from '../json/exact-json.ts'

/** What a step may wait for. */
export type WaitKind = 'time' | 'call' | 'answer' | 'children'

export interface WaitRequest {
  readonly kind: WaitKind
  /** When it is over at the latest, in milliseconds of the wall clock; null where time does not end it. */
  readonly until: number | null
  /** What a person is asked, for those who list what waits for an answer. */
  readonly question?: { readonly text: string; readonly choices: readonly string[] }
}

/** What a component asks for: at most one of `until` and `forMs`. Without either, time does not end the wait. */
export interface AskedWait {
  readonly kind: Exclude<WaitKind, 'children'>
  /** Milliseconds of the wall clock. */
  readonly until?: number
  readonly forMs?: number
  readonly question?: WaitRequest['question']
}

/**
 * Returned by a component in place of outputs: its step waits. A run of which nothing else is left to do leaves memory for
 * as long as that takes; then `resume` of the component is called.
 */
export class StepWait {
  readonly request: WaitRequest

  constructor(request: WaitRequest) {
    this.request = request
  }
}

/** How a wait came to its end. */
export interface Woken {
  /** `time`: its time was over, or somebody ended it before. */
  readonly by: WaitKind
  readonly at: number
  /** What came with the call or the answer; null otherwise. */
  readonly value: JsonValue
}
