import type { NewMessage } from './message-store.ts'
import type { ModelUsage } from './model-usage.ts'
import type { BesidesRun, NewRun } from './run-fields.ts'

export type EndStatus = 'succeeded' | 'failed' | 'cancelled'

export type { NewRun } from './run-fields.ts'

/** Which run started this one, from which of its nodes, and as the how-manieth. */
export interface ParentRef {
  readonly seq: number
  readonly runId: string
  readonly flowId: string
  readonly node: string
  readonly index: number
  /** How many runs are above this one. */
  readonly depth: number
  /** The parent waits for it: it ends with its parent. */
  readonly isAwaited: boolean
}

/**
 * `seq` is the run's number in the order of acceptance and also the number of that change: accepting,
 * checkpointing and ending all draw from one counter, so changes of a flow can be read on from any number.
 */
export interface AcceptedRun extends Omit<NewRun, BesidesRun> {
  readonly seq: number
  /** It begins when its flow is paused no longer. */
  readonly isPaused?: true
  /** It tries a draft out: it runs a document of its own, and is no part of stats. */
  readonly isTest?: true
  /** Another run started it: it is no part of stats, and of lists only where they ask for it. */
  readonly parent?: ParentRef
}

export interface RunRef {
  readonly seq: number
  readonly flowId: string
  /**
   * Where processes share the store: what the run was taken up under. A write with a claim that no longer holds
   * comes to nothing, so a process that was held to be dead cannot write a second result.
   */
  readonly claim?: string
  /** A caller waits for what is written: it is not put off to be written with others. */
  readonly isAwaited?: boolean
  /** Its end concerns other rows too: told where that is known, which saves the store a look. */
  readonly isTied?: true
}

/** What has to be so still when a run is opened again. */
export interface ReopenConditions {
  /** The number of its end: another Retry may have opened it since, and it may have ended again. */
  readonly endNo: number
  /** Some of it is to run again although it succeeded. */
  readonly mayHaveSucceeded?: boolean
  /** The version that it goes on with, which goes when its flow is deleted for good; absent where it has its document with it. */
  readonly version?: number
  /** Nodes that wait for calls anew: those that came to them before are of the past, and the next may come early. */
  readonly calledAnew?: readonly string[]
}

export interface Outcome {
  readonly status: EndStatus
  readonly startedAt: number | null
  readonly finishedAt: number
  /** The run's error as JSON text, or null. */
  readonly error: string | null
  /** The steps as JSON text. */
  readonly steps: string
  readonly messages: readonly NewMessage[]
  /** The nodes that this run gave an output; they point to it as their most recent one. */
  readonly nodesWithOutput: readonly string[]
  /** Of language models, one entry each; mostly none. */
  readonly usage: readonly ModelUsage[]
}

export interface StoredOutcome {
  readonly no: number
  readonly status: EndStatus
  readonly startedAt: number | null
  readonly finishedAt: number
  readonly error: string | null
  readonly steps: string
}
