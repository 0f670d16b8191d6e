import type { Clock } from '../clock.ts'
import type { Files } from '../files/files.ts'
import type { FlowLibrary } from '../library/flow-library.ts'
import type { EndStatus, ExecutableRun, RunStore } from '../store/store.ts'
import { AnswerText } from './answers/answer-text.ts'
import { AnswerWatch } from './answers/answer-watch.ts'
import type { FlowAnswer } from './answers/flow-answer.ts'
import { childEnded } from './children/child-ended.ts'
import { ChildStarts } from './children/child-starts.ts'
import type { Backlog, Dispatch, Sharing, Work } from './dispatch/dispatch.ts'
import type { RunLimits } from './dispatch/dispatch-sizes.ts'
import { Dispatcher, type DispatcherDeps } from './dispatch/dispatcher.ts'
import { EndedWatch } from './dispatch/ended-watch.ts'
import { FlowLimits } from './dispatch/flow-limits.ts'
import { DeadlyNodes } from './execute/deadly-nodes.ts'
import type { ExecutorDeps } from './execute/executing-run.ts'
import { Persistence } from './execute/persistence.ts'
import { PlansOfRuns } from './execute/plan-of-run.ts'
import { Quarantine } from './execute/quarantine.ts'
import { RunExecutor } from './execute/run-executor.ts'
import { TextPublisher } from './live-text/text-publisher.ts'
import { TextStreams } from './live-text/text-streams.ts'
import { Publisher } from './present/publisher.ts'
import { RunReader } from './present/run-reader.ts'
import { type RehearsalRuns, recordRun } from './rehearsal/recording.ts'
import { rehearseRun } from './rehearsal/rehearse-run.ts'
import { RunAcceptance } from './run-acceptance.ts'
import { RunCancellation } from './run-cancellation.ts'
import { Runs } from './runs.ts'
import { Pacing } from './steps/pacing.ts'
import { tryNode } from './try-node.ts'

type PassedOn = 'scopeOf' | 'outside' | 'watch' | 'onError' | 'onUsage'
interface RunsDeps extends Pick<ExecutorDeps, PassedOn> {
  readonly store: RunStore
  readonly clock: Clock
  readonly library: FlowLibrary
  readonly files: Files
  readonly limits: RunLimits
  readonly onEnded: (status: EndStatus) => void
  /** Processes in a row, right before this one, that did not stop in order. */
  readonly deaths: number
  readonly backlog: Backlog
  /** How processes share the work; absent where this one has the store to itself. */
  readonly sharing?: Sharing
}

/** Puts together what takes part in a run's life. Several of them know each other: such calls come when all are there. */
export function createRuns(deps: RunsDeps): Runs {
  const { store, clock, library, backlog, sharing } = deps
  const news = sharing?.news ?? new Publisher(clock)
  const text = sharing?.text ?? new TextPublisher()
  const watch = new EndedWatch(clock)
  const answers = createAnswers(deps)
  const persistence = new Persistence(clock)
  const { persist } = persistence
  const pacing = new Pacing(clock)
  const plans = new PlansOfRuns(store, library)
  const planOf = (run: ExecutableRun) => plans.of(run)
  const childStarts = new ChildStarts({ ...deps, planOf })
  const onChildEnded: ExecutorDeps['onChildEnded'] = (...child) => childEnded(dispatcher, ...child)

  function ended(run: ExecutableRun, status: EndStatus, wasCounted = true, answer?: FlowAnswer): void {
    if (wasCounted) backlog.left()
    watch.ended(run.id, status)
    if (run.parent === undefined) answers.ended(run, status, answer)
    if (run.isTest !== true && run.parent === undefined) deps.onEnded(status)
  }

  const deadly = new DeadlyNodes({ ...deps, isShared: sharing !== undefined })
  const executor = new RunExecutor({
    ...deps,
    publisher: news,
    planOf,
    childStarts,
    children: {
      store,
      clock,
      persist,
      findFlow: (reference) => library.find(reference),
      onUsage: deps.onUsage,
      outside: childStarts.outside,
      offer: (run) => acceptance.childAccepted(run),
      mayHaveDue: (flowIds) => dispatcher.mayHaveDue(flowIds),
      cancelOrphaned: (parent) => cancellation.cancelOrphaned(parent)
    },
    onChildEnded,
    persist,
    quarantine: new Quarantine(clock),
    deadly,
    pacing,
    textStreams: new TextStreams({ news: text, clock }),
    onParked: (runId, isCancelled) => {
      backlog.left()
      if (isCancelled) cancellation.endParked(runId)
    },
    answers,
    onEnded: (run, status, answer) => ended(run, status, true, answer)
  })
  const dispatcher = createDispatch(deps, { executor, pacing, watch })
  const backlogLimit = deps.limits.backlog
  const acceptance = new RunAcceptance({ ...deps, backlogLimit, dispatcher, news })
  const cancellation = new RunCancellation({
    ...deps,
    pacing,
    dispatcher,
    watch,
    news,
    planOf,
    onChildEnded,
    ended
  })
  const reader = new RunReader({
    ...deps,
    isHere: (runId) => dispatcher.isActive(runId),
    costOfRun: (seq) => deps.outside.spending.costOfRun(seq)
  })
  pacing.whenRoom(() => dispatcher.mayHaveRoomAgain())
  followPauses(library, dispatcher)
  const parts = { store, clock, library, backlog, news, text, dispatcher, persistence, watch }
  return new Runs({
    ...parts,
    answers,
    answerText: new AnswerText(text),
    deadly,
    acceptance,
    cancellation,
    reader,
    files: deps.outside.files,
    tryNode: (trial, signal) => {
      const { catalogue } = library.surroundings
      const { scopeOf, outside } = deps
      return tryNode(trial, { clock, catalogue, scopeOf, outside, pacing, watch: deps.watch }, signal)
    },
    rehearse: (toRehearse, abort, store: RehearsalRuns = deps.store) =>
      rehearseRun(toRehearse, { ...deps, store, pacing, planOf }, abort),
    record: (run, most) => recordRun(run, { store: deps.store, planOf }, most)
  })
}

/** Whoever waits for an answer may do so in another process: that one is told, of flows whose callers wait. */
function createAnswers({ store, clock, library, sharing, onError }: RunsDeps): AnswerWatch {
  const tellOthers = (runId: string, flowId: string) => {
    if (answersCallers(flowId, library)) sharing!.tellAnswered(runId)
  }
  const answers = new AnswerWatch({ store, clock, onError, ...(sharing !== undefined && { tellOthers }) })
  sharing?.followAnswers(answers)
  return answers
}

function answersCallers(flowId: string, library: FlowLibrary): boolean {
  return (library.find(flowId)?.webhook?.answersWithin ?? null) !== null
}

interface Executing {
  readonly executor: RunExecutor
  readonly pacing: Pacing
  readonly watch: EndedWatch
}

function createDispatch(deps: RunsDeps, { executor, pacing, watch }: Executing): Dispatch {
  const { store, clock, backlog, deaths, onError } = deps
  const { places, sizes } = deps.limits
  const limits = new FlowLimits({ ...deps, onMore: () => dispatcher.mayHaveRoomAgain() })
  const work: Work = {
    clock,
    isCrowded: () => pacing.isCrowded,
    execute: (queued, isSuspect, listener) => executor.execute(queued, isSuspect, listener),
    cancelUnbegun: (queued, listener) => executor.cancelUnbegun(queued, listener),
    limitOf: (flowId) => limits.of(flowId),
    onTakenUp: () => backlog.entered(),
    onError,
    places
  }
  const pressure = () => backlog.count / deps.limits.backlog
  const isAwaited: DispatcherDeps['isAwaited'] = ({ flowId, trigger }) =>
    trigger === 'webhook' && answersCallers(flowId, deps.library)
  const dispatcher: Dispatch =
    deps.sharing?.dispatch(work, watch) ??
    new Dispatcher({ ...work, store, deaths, watch: deps.watch, pressure, sizes, isAwaited })
  return dispatcher
}

function followPauses(library: FlowLibrary, dispatcher: Dispatch): void {
  library.subscribe(({ kind, flow: { id, paused }, before }) => {
    const wasPaused = (before?.paused ?? null) !== null
    if (kind === 'deleted' || wasPaused === (paused !== null)) return
    dispatcher.pauseChanged(id, !wasPaused)
  })
}
