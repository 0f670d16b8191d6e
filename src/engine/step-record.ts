import type { LongValue } from '../flows/json/long-value.ts'
import type { StepAnswer } from '../flows/step/step-answer.ts'
import type { StepLog } from '../flows/step/step-log.ts'

/** What is known of one step of a run. Times are milliseconds of the wall clock. */
export interface StepRecord {
  readonly node: string
  readonly type: string
  readonly status: StepStatus
  readonly attempts: number
  readonly startedAt: number | null
  readonly durationMs: number | null
  readonly outputs: Outputs | null
  readonly error: StepFailure | null
  /** What the step printed in the Playground; stored with its result so that neither is without the other. */
  readonly messages?: readonly StepMessage[]
  /** Lines that its last attempt left for whoever looks at the run. */
  readonly logs?: readonly StepLog[]
  /** It was not run: its outputs are those that were pinned. */
  readonly pinned?: true
  /** Its component says that the output `usage` is what it used of a model. */
  readonly reportsUsage?: true
  /** What it answered to who called the flow. At most one step of a run has one: the first that gave any. */
  readonly answer?: RecordedAnswer
}

export interface RecordedAnswer extends Omit<StepAnswer, 'body'> {
  /** Read back, a long text is where it is stored. */
  readonly body: string | LongValue
  readonly at: number
}

/** What a step put out, by output. */
export type Outputs = Readonly<Record<string, unknown>>

export type StepStatus =
  | 'queued'
  | 'in progress'
  | 'waiting'
  | 'succeeded'
  | 'failed'
  | 'skipped'
  | 'not reached'
  | 'cancelled'

export interface StepMessage {
  readonly id: string
  /** Read back, a long text is where it is stored. */
  readonly text: string | LongValue
  readonly sender: string
  readonly session: string
  readonly createdAt: number
}

export interface StepFailure {
  readonly code: string
  readonly message: string
}

/** Why a run failed: the node that failed it, in words that a person can act on. */
export interface RunFailure extends StepFailure {
  readonly node: string | null
}
