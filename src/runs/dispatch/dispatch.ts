import type { Clock } from '../../clock.ts'
import type { OpenRun } from '../../store/children.ts'
import type { AcceptedRun, RunToEnd, StoredRun } from '../../store/store.ts'
import type { AnswerWatch } from '../answers/answer-watch.ts'
import type { ExecutingRun, ExecutionListener, NewsOfRun } from '../execute/executing-run.ts'
import type { RunInMemory } from '../execute/run-window.ts'
import type { TextNews } from '../live-text/text-news.ts'
import type { RunNews } from '../present/run-news.ts'
import type { EndedWatch } from './ended-watch.ts'
import type { PlaceLimits } from './run-places.ts'

/** Who executes accepted runs: this process alone, or all that share the store. */
export interface Dispatch {
  /** Takes up what is there already. */
  start(): Promise<void>
  /** Starts no further run and resolves when those under way have reached a checkpoint. */
  stop(): Promise<void>
  /** A run was accepted and is durable. */
  offer(run: AcceptedRun): void
  /** A run is about to be opened again: `resume` brings it, or `notReopened` tells that it was not. */
  reopening(run: Pick<StoredRun, 'id' | 'seq' | 'flowId'>): void
  notReopened(run: Pick<StoredRun, 'id' | 'seq' | 'flowId'>): void
  /** A run that goes on: it was reopened. */
  resume(run: AcceptedRun, journal: readonly string[]): void
  /** The flow was paused: the store gives out none of its runs that has not begun. Or it was resumed: now it does. */
  pauseChanged(flowId: string, isPaused: boolean): void
  /** Parked runs of these flows may be due before their time: something has ended their wait. */
  mayHaveDue(flowIds: readonly string[]): void
  /** Tells whoever executes the run, lest a step of it waits until the others are done. */
  tell(runId: string, news: NewsOfRun): void
  /** Whether this process executes the run. */
  isActive(runId: string): boolean
  /** It may have ceased to be crowded. */
  mayHaveRoomAgain(): void
  /** Lets whoever executes the run, or has taken it up to execute it, cancel it; false when nobody has, or not as it was read. */
  cancel(run: RunToEnd): boolean | Promise<boolean>
  /** Nobody waits for these any more: whoever executes one of them is to cancel it. Returns those that nobody has. */
  stopOrphaned(runs: readonly OpenRun[]): readonly OpenRun[]
  /**
   * The run is about to be ended here, past whoever executes it. To be told when it was: nothing more of it begins then. Whoever
   * executes it only since may do so because it was opened again.
   */
  ending(run: StoredRun): () => void
}

/** How a process executes runs. */
export interface Work {
  readonly clock: Clock
  /** `isSuspect`: processes have died with this run in hand; see quarantine.ts. */
  readonly execute: (queued: RunInMemory, isSuspect: boolean, listener: ExecutionListener) => ExecutingRun
  /** Ends a run as cancelled that has not begun. */
  readonly cancelUnbegun: (queued: RunInMemory, listener: ExecutionListener) => ExecutingRun
  /** Runs of one flow that may go on at the same time. */
  readonly limitOf: (flowId: string) => number
  /** Runs that may go on at the same time in this process. */
  readonly places: PlaceLimits
  /** So much is under way that no further run should begin, whatever the limits say. */
  readonly isCrowded: () => boolean
  /** A run that was parked is taken up, and counts again. */
  readonly onTakenUp: () => void
  readonly onError: (error: unknown, doing: string) => void
}

/**
 * How many runs are queued or claimed (queue-state.ts), those included whose acceptance is being written. What is in the store until
 * its time, its turn, or until its flow is resumed, is no work that is left to do.
 */
export interface Backlog {
  readonly count: number
  /** The acceptance of a run is being written. */
  accepting(): void
  /** It was written; false: it was not, or the run is paused. */
  accepted(isKept: boolean): void
  /** A run counts again: it was opened again, or its parking is over. */
  entered(): void
  /** A run has ended, or is parked. */
  left(): void
}

/** How the processes that share a store share the work. */
export interface Sharing {
  readonly news: RunNews
  readonly text: TextNews
  /** `watch` is told of runs that end elsewhere. */
  dispatch(work: Work, watch: EndedWatch): Dispatch
  /** `watch` is told of runs that answer elsewhere. */
  followAnswers(watch: AnswerWatch): void
  /** The run has answered who called its flow, or has ended: somebody may wait for that in another process. */
  tellAnswered(runId: string): void
}
