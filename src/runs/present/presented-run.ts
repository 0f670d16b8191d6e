import type { RequestFacts, RunTrigger } from '../../flows/component/component.ts'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import type { JsonBytes } from '../../flows/json/json-bytes.ts'
import type { LongValue } from '../../flows/json/long-value.ts'
import type { StepLog } from '../../flows/step/step-log.ts'
import type { RunUsage } from '../record/run-usage.ts'
import type { RunStatus } from './run-status.ts'
import type { PresentedWait } from './run-waits.ts'

/** A run as the API shows it. */
export interface PresentedRun {
  readonly id: string
  readonly flow_id: string
  readonly flow_version: number
  readonly trigger: RunTrigger
  readonly session: string
  readonly status: RunStatus
  /** It waits for its flow to be resumed. */
  readonly held?: true
  readonly created_at: string
  readonly started_at: string | null
  readonly finished_at: string | null
  readonly replay_of: string | null
  /** The run that started this one. */
  readonly parent: { readonly run_id: string; readonly node: string; readonly index: number } | null
  /** It tried a draft out. */
  readonly test: boolean
  readonly error: unknown
  /** One line of its input. */
  readonly summary: string
  readonly input?: JsonValue | JsonBytes
  readonly steps?: readonly PresentedStep[]
  /** What came with the request besides its payload; null where no request started the run. */
  readonly request?: RequestFacts | null
  /** Every attempt of the steps that reach outside; the others have one, which the step itself tells of. */
  readonly attempts?: readonly PresentedAttempt[]
  readonly messages?: readonly PresentedMessage[]
  /** What its Return got; null where it has none, or has not come to it. */
  readonly output?: unknown
  /** What it waits for. */
  readonly waiting?: readonly PresentedWait[]
  /** Tokens of language models; null where none was asked. */
  readonly usage?: RunUsage | null
}

export interface PresentedAttempt {
  readonly node: string
  readonly attempt: number
  readonly started_at: string | null
  readonly ended_at: string | null
  readonly retry_at: string | null
  readonly error: unknown
}

export interface PresentedMessage {
  readonly id: string
  readonly node: string
  readonly session: string
  readonly sender: string
  readonly text: string | LongValue
  readonly created_at: string
}

export interface PresentedStep {
  readonly node: string
  readonly type: string
  readonly status: string
  readonly attempts: number
  readonly started_at: string | null
  readonly duration_ms: number | null
  readonly outputs: Readonly<Record<string, unknown>> | null
  readonly error: unknown
  /** Lines that it left, where there are any. */
  readonly logs?: readonly StepLog[]
  /** A test did not run it: its outputs were pinned. */
  readonly pinned?: true
}

/** A run as a mark in a row of them. */
export interface PresentedMark {
  readonly id: string
  readonly status: RunStatus
  readonly created_at: string
  /** Null until it has ended, and where it was cancelled before it began. */
  readonly duration_ms: number | null
}
