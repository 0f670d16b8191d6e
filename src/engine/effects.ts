import type { StepLog } from '../flows/step/step-log.ts'
import type { WaitRequest, Woken } from '../flows/step/step-wait.ts'
import type { HeldTime } from './held-time.ts'
import type { JournalEntry, OpenedWait, WokenStep } from './journal.ts'
import type { LazyAbort } from './lazy-abort.ts'
import type { PlannedNode } from './plan.ts'
import type { StepReferences } from './plan-references.ts'
import type { EndStatus } from './settle.ts'
import type { RecordedAnswer, RunFailure, StepMessage, StepRecord } from './step-record.ts'

/** The outside, as one run needs it. The engine itself knows no clock, no store and nothing of what surrounds a component. */
export interface Effects {
  wallClock(): number
  stopwatch(): number
  random(): number
  newId(): string
  /** Runs the component. Its result may be a promise; a pure component's usually is not, and then costs no wait. */
  invoke(call: StepCall): unknown
  /** Whether others can read what a checkpoint tells. */
  readonly isStored: boolean
  /** Resolves when the entry is durable; to false when the run has ended elsewhere meanwhile. Never rejects. */
  checkpoint(entry: JournalEntry): Promise<boolean>
  /** As `checkpoint`, with what it takes to end the wait from outside. */
  openWait(entry: JournalEntry, wait: NewWait): Promise<boolean>
  /** The time of a wait has come, or its children may have ended: asks how it stands, and ends it where nothing else has. */
  closeWait(node: string): Promise<WaitNews>
  /**
   * Takes what a step put out, and what it said: `outputs` is null for one that failed. Throws, or rejects with, a
   * StepError where it is too much or cannot be stored. Undefined where there is nothing to wait for; otherwise resolves
   * to false when the run has ended elsewhere, or the service stops.
   */
  keep(call: StepCall, outputs: Readonly<Record<string, unknown>> | null): Promise<boolean> | undefined
  /** The component has returned, or failed, before anything of that is written down. */
  over(call: StepCall, how: 'returned' | 'failed'): void
  /** The run waits for what its components have asked of others, or does so no longer. Called by turns. */
  awaits(isAwaiting: boolean): void
  startTimer(ms: number, then: () => void): Timer
}

export interface Timer {
  stop(): void
}

export interface StepCall {
  readonly node: PlannedNode
  readonly inputs: Readonly<Record<string, unknown>>
  /** What its fields read of the run beside its inputs; undefined where they read nothing. */
  readonly references?: StepReferences
  readonly attempt: number
  /** So many attempts were made with other inputs; undefined for none. */
  before?: number
  readonly messages: StepMessage[]
  /** Undefined until there is one: few steps leave any. */
  logs?: StepLog[]
  /** What it answers to who called the flow. */
  answer?: RecordedAnswer
  readonly abort: LazyAbort
  /** The step waited, and this is what ended that. */
  readonly woken?: Woken | undefined
  /** Time of the attempt that does not count; of steps that reach outside. */
  held?: HeldTime
  /** What the attempt fails with should its time be over now; undefined for the usual error, which may be tried again. */
  timeoutError?: () => Error
}

/** A wait that begins. */
export interface NewWait extends Pick<OpenedWait, 'id' | 'kind'>, Omit<WaitRequest, 'kind'> {
  readonly node: string
}

/** How a wait stands. */
export type WaitNews =
  | { readonly state: 'open' | 'over' }
  | { readonly state: 'woken'; readonly woken: WokenStep }
  /** The run has ended elsewhere, or the service stops. */
  | { readonly state: 'lost' }

/** How an execution hands its run back, exactly once. */
export type Ending =
  | {
      readonly kind: 'ended'
      readonly status: EndStatus
      readonly error: RunFailure | null
      readonly startedAt: number
      readonly steps: readonly StepRecord[]
    }
  /**
   * Only waits are left: the run can leave memory until the first of them is over. `awaits`: the nodes whose wait something
   * other than time may end.
   */
  | {
      readonly kind: 'parked'
      readonly entry: JournalEntry
      readonly dueAt: number | null
      readonly awaits: readonly string[]
    }
  /** The service stops; what is recorded so far is all that is needed to go on later. */
  | { readonly kind: 'interrupted' }
  /** The run was ended by someone else. */
  | { readonly kind: 'lost' }
