import type { Clock } from '../../clock.ts'
import type { Plan } from '../../engine/plan.ts'
import type { ModelUsage } from '../../store/model-usage.ts'
import type { EndStatus, ExecutableRun, ParentRef, RunStore } from '../../store/store.ts'
import type { AnswerWatch } from '../answers/answer-watch.ts'
import type { FlowAnswer } from '../answers/flow-answer.ts'
import type { ChildStarts } from '../children/child-starts.ts'
import type { ChildrenDeps } from '../children/children-deps.ts'
import type { TextStreams } from '../live-text/text-streams.ts'
import type { RunNews } from '../present/run-news.ts'
import type { Pacing } from '../steps/pacing.ts'
import type { Outside } from '../steps/run-in-context.ts'
import type { RunScope } from '../steps/run-scope.ts'
import type { StepWatch } from '../steps/step-watch.ts'
import type { DeadlyNodes } from './deadly-nodes.ts'
import type { Quarantine } from './quarantine.ts'

export interface ExecutorDeps {
  readonly store: RunStore
  readonly clock: Clock
  readonly publisher: RunNews
  readonly planOf: (run: ExecutableRun) => Plan | Promise<Plan>
  readonly childStarts: Pick<ChildStarts, 'of'>
  readonly children: ChildrenDeps
  readonly scopeOf: (context: string) => RunScope
  /** Tries a write until it is durable, however long the store refuses it; rejects only when the service stops. */
  readonly persist: <T>(write: () => Promise<T>) => Promise<T>
  readonly quarantine: Quarantine
  readonly deadly: Pick<DeadlyNodes, 'known' | 'of' | 'note'>
  readonly pacing: Pacing
  readonly watch: StepWatch
  /** How the text of steps reaches who listens while they work. */
  readonly textStreams: TextStreams
  readonly outside: Outside
  /** A run is parked, and counts no longer. `isCancelled`: it was told to stop meanwhile. */
  readonly onParked: (runId: string, isCancelled: boolean) => void
  /** A child has ended: another one may have its turn, and its parent may go on. */
  readonly onChildEnded: (run: ExecutableRun, parent: ParentRef) => void
  /** What a run used of a model, when it ends. */
  readonly onUsage: (usage: ModelUsage) => void
  /** `answer`: for who waits for it, where it is at hand. */
  readonly onEnded: (run: ExecutableRun, status: EndStatus, answer?: FlowAnswer) => void
  readonly answers: Pick<AnswerWatch, 'isAwaited' | 'answered'>
  readonly onError: (error: unknown, doing: string) => void
}

/** How the executor hands a run back. */
export type Executed = 'ended' | 'interrupted' | 'lost' | Parked

/** Only waits are left: it is in the store alone until the first of them is over. */
interface Parked {
  /** Null where time does not wake it. */
  readonly dueAt: number | null
  /** One of its waits may have come to its end while that was written. */
  readonly mayBeDue: boolean
}

/** What the executor tells of a run that it was given. */
export interface ExecutionListener {
  /** Called once, when what came of the run is durable. */
  done(how: Executed): void
  /** The run waits for what it has asked of others, or does so no longer: called by turns, and never after `done`. */
  awaits(isAwaiting: boolean): void
}

/** A run that is being executed. */
export interface ExecutingRun {
  cancel(): void
  interrupt(): void
  notify(news: NewsOfRun): void
}

/**
 * What happens to a run outside: a wait of it has ended, or may have: its journal tells, or the count of its children; or a run that it started has ended; or it was
 * ended itself, past whoever executes it. `reopening`: somebody asks the store to open it again, as if it had ended; that is
 * settled by `ended`, where it had, or by `not reopened`. `lost`: whoever executes it does not hold it any more. That is so too when it has
 * just been parked.
 */
export type NewsOfRun = 'woken' | 'child ended' | 'ended' | 'reopening' | 'not reopened' | 'lost'
