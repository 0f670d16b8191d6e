import type { Clock } from '../clock.ts'
import type { StepRecord } from '../engine/step-record.ts'
import type { FlowDocument } from '../flows/document/flow-document.ts'
import type { Pacer } from '../flows/in-turns.ts'
import type { FlowLibrary } from '../library/flow-library.ts'
import type { LiveFlow } from '../library/live-flow.ts'
import type { FlowChange } from '../library/live-flows.ts'
import type { ChildCounts } from '../store/children.ts'
import type { Delivery } from '../store/deliveries.ts'
import type {
  Acceptance,
  AcceptedRun,
  EndStatus,
  ExecutableRun,
  RunStore,
  StoredRun
} from '../store/store.ts'
import type { TriggerEvent } from '../store/triggers.ts'
import type { WakeResult } from '../store/waits.ts'
import { childEnded } from './children/child-ended.ts'
import { ChildStarts } from './children/child-starts.ts'
import { untilOutsideWaitBelow } from './children/outside-wait-below.ts'
import { FLOW_TRIGGER, ITEM_TRIGGER } from './children/run-result.ts'
import type { ChildrenDeps } from './children/step-children.ts'
import type { Backlog, Dispatch, Sharing, Work } from './dispatch/dispatch.ts'
import type { RunLimits } from './dispatch/dispatch-sizes.ts'
import { Dispatcher } from './dispatch/dispatcher.ts'
import { EndedWatch } from './dispatch/ended-watch.ts'
import { FlowLimits } from './dispatch/flow-limits.ts'
import type { ExecutorDeps } from './execute/executing-run.ts'
import { Persistence } from './execute/persistence.ts'
import { documentOfRun, PlansOfRuns } from './execute/plan-of-run.ts'
import { Quarantine } from './execute/quarantine.ts'
import { RunExecutor } from './execute/run-executor.ts'
import type { TextNews } from './live-text/text-news.ts'
import { TextPublisher } from './live-text/text-publisher.ts'
import { TextStreams } from './live-text/text-streams.ts'
import { AnswerPace } from './present/answer-pace.ts'
import { Publisher } from './present/publisher.ts'
import type { RunNews } from './present/run-news.ts'
import { RunReader } from './present/run-reader.ts'
import type { PresentedMark, PresentedRun } from './present/run-shape.ts'
import type { Start, TestStart } from './record/new-run.ts'
import { type WakeReason, wokenEntry } from './record/woken-entry.ts'
import { assertCanGoOn, reopenRun, whyNotReopened } from './reopen-run.ts'
import { RunAcceptance } from './run-acceptance.ts'
import { RunCancellation } from './run-cancellation.ts'
import { belongsToParent, notRetryable, runNotFound } from './run-refusals.ts'
import type { ReadPiece } from './steps/long-values.ts'
import { Pacing } from './steps/pacing.ts'
import { type NodeTrial, tryNode } from './try-node.ts'

type PassedOn = 'scopeOf' | 'outside' | 'watch' | 'onError' | 'onUsage'
export interface RunsDeps extends Pick<ExecutorDeps, PassedOn> {
  readonly store: RunStore
  readonly clock: Clock
  readonly library: FlowLibrary
  readonly limits: RunLimits
  readonly onEnded: (status: EndStatus) => void
  /** Processes in a row, right before this one, that did not stop in order. */
  readonly deaths: number
  readonly backlog: Backlog
  /** How processes share the work; absent where this one has the store to itself. */
  readonly sharing?: Sharing
}

/** Everything that can be done with runs: start, watch, read, cancel, retry and replay them. */
export class Runs {
  readonly #deps: RunsDeps
  readonly #publisher: RunNews
  readonly #text: TextNews
  readonly #dispatcher: Dispatch
  readonly #persistence: Persistence
  readonly #watch: EndedWatch
  readonly #pacing: Pacing
  readonly #backlog: Backlog
  readonly #acceptance: RunAcceptance
  readonly #cancellation: RunCancellation
  readonly #reader: RunReader

  constructor(deps: RunsDeps) {
    this.#deps = deps
    this.#publisher = deps.sharing?.news ?? new Publisher(deps.clock)
    this.#text = deps.sharing?.text ?? new TextPublisher()
    this.#backlog = deps.backlog
    this.#watch = new EndedWatch(deps.clock)
    this.#persistence = new Persistence(deps.clock)
    this.#pacing = new Pacing(deps.clock)
    const limits = new FlowLimits({ ...deps, onMore: () => this.#dispatcher.mayHaveRoomAgain() })
    const plans = new PlansOfRuns(deps.store, deps.library)
    const planOf = (run: ExecutableRun) => plans.of(run)
    const childStarts = new ChildStarts({ ...deps, planOf })
    const onChildEnded: ExecutorDeps['onChildEnded'] = (...ended) => childEnded(this.#dispatcher, ...ended)
    const executor = new RunExecutor({
      ...deps,
      publisher: this.#publisher,
      planOf,
      childStarts,
      children: this.#childrenDeps(childStarts),
      onChildEnded,
      persist: this.#persistence.persist,
      quarantine: new Quarantine(deps.clock),
      pacing: this.#pacing,
      textStreams: new TextStreams({ news: this.#text, clock: deps.clock }),
      onParked: (runId, isCancelled) => {
        this.#backlog.left()
        if (isCancelled) this.#cancellation.endParked(runId)
      },
      onEnded: (run, status) => this.#ended(run, status)
    })
    const work: Work = {
      clock: deps.clock,
      isCrowded: () => this.#pacing.isCrowded,
      execute: (waiting, isSuspect, listener) => executor.execute(waiting, isSuspect, listener),
      cancelUnbegun: (waiting, listener) => executor.cancelUnbegun(waiting, listener),
      limitOf: (flowId) => limits.of(flowId),
      onTakenUp: () => this.#backlog.entered(),
      onError: deps.onError,
      places: deps.limits.places
    }
    const pressure = () => this.#backlog.count / deps.limits.backlog
    const { sizes } = deps.limits
    this.#dispatcher =
      deps.sharing?.dispatch(work, this.#watch) ??
      new Dispatcher({ ...work, store: deps.store, deaths: deps.deaths, watch: deps.watch, pressure, sizes })
    this.#acceptance = new RunAcceptance({
      store: deps.store,
      clock: deps.clock,
      backlog: deps.backlog,
      backlogLimit: deps.limits.backlog,
      dispatcher: this.#dispatcher,
      news: this.#publisher
    })
    this.#cancellation = new RunCancellation({
      ...deps,
      pacing: this.#pacing,
      dispatcher: this.#dispatcher,
      watch: this.#watch,
      news: this.#publisher,
      planOf,
      onChildEnded,
      ended: (run, status, wasCounted) => this.#ended(run, status, wasCounted)
    })
    const isHere = (runId: string) => this.#dispatcher.isActive(runId)
    this.#reader = new RunReader({ ...deps, isHere })
    this.#pacing.whenRoom(() => this.#dispatcher.mayHaveRoomAgain())
    deps.library.subscribe((change) => this.#flowChanged(change))
  }

  get backlog(): number {
    return this.#backlog.count
  }

  get isStopping(): boolean {
    return this.#watch.isStopped
  }

  /** Takes up what an earlier process left unfinished. */
  async resume(): Promise<void> {
    await this.#dispatcher.start()
  }

  /** Lets steps under way reach a checkpoint. */
  async stop(): Promise<void> {
    this.#acceptance.stop()
    this.#cancellation.stop()
    this.#watch.stop()
    // What is being written still is; only trying again ends, since a broken disk must not hold up the stop.
    this.#persistence.stop()
    await this.#dispatcher.stop()
  }

  /** Resolves when the run is durable. It begins as soon as there is room. */
  start(start: Start): Promise<AcceptedRun> {
    return this.#acceptance.start(start)
  }

  /** Tries a document out that is not live. */
  startTest(test: TestStart): Promise<AcceptedRun> {
    return this.#acceptance.startTest(test)
  }

  /** Starts nothing where one of the deliveries has started a run within a day. */
  startOnce(start: Start, deliveries: readonly Delivery[]): Promise<Acceptance> {
    return this.#acceptance.startOnce(start, deliveries)
  }

  /** Starts nothing where the trigger of that node has got as far already. */
  startEvent(start: Start, event: TriggerEvent): Promise<AcceptedRun | undefined> {
    return this.#acceptance.startEvent(start, event)
  }

  /** Runs one node by itself, for somebody who waits for it; nothing of it is stored. */
  tryNode(trial: NodeTrial, signal: AbortSignal): Promise<StepRecord> {
    const { clock, library, scopeOf, outside, watch } = this.#deps
    const { catalogue } = library.surroundings
    return tryNode(trial, { clock, catalogue, scopeOf, outside, pacing: this.#pacing, watch }, signal)
  }

  /** To be called right after `start` resolved: the run cannot have ended before the next turn of the loop. */
  waitForEnd(runId: string, ms: number, signal?: AbortSignal): Promise<EndStatus | undefined> {
    return this.#watch.wait(runId, ms, signal)
  }

  /** Resolves when all that is left of the run below waits, and for somebody outside; or when it is aborted. */
  untilOutsideWaitBelow(run: Pick<StoredRun, 'id' | 'seq'>, signal: AbortSignal): Promise<void> {
    const { store, clock } = this.#deps
    return untilOutsideWaitBelow(run, { store, clock, isActive: this.#reader.isActive }, signal)
  }

  /** The same for a run that may have ended long ago. Undefined also where it has been deleted since. */
  async waitForEarlier(runId: string, ms: number): Promise<EndStatus | undefined> {
    const wait = new AbortController()
    const ended = this.#watch.wait(runId, ms, wait.signal)
    try {
      const run = await this.#deps.store.get(runId)
      return run?.outcome === null ? await ended : run?.outcome.status
    } finally {
      wait.abort()
    }
  }

  async get(id: string): Promise<StoredRun> {
    const run = await this.#deps.store.get(id)
    if (run === undefined) throw runNotFound()
    return run
  }

  /** For long values, which a presented run only names. */
  readonly readPiece: ReadPiece = (seq, name, piece) => this.#deps.store.readPiece(seq, name, piece)

  /** For one answer: who reads for it lets others have their turn. */
  answerPace(): Pacer {
    return new AnswerPace(this.#deps.clock)
  }

  present(run: StoredRun, pace: Pacer = this.answerPace()): Promise<PresentedRun> {
    return this.#reader.present(run, pace)
  }

  list(...filter: Parameters<RunReader['list']>): ReturnType<RunReader['list']> {
    return this.#reader.list(...filter)
  }

  /** The newest runs of each of these flows, newest first. */
  recent(flowIds: readonly string[], limit: number): Promise<Map<string, PresentedMark[]>> {
    return this.#reader.recent(flowIds, limit)
  }

  /** How many runs a node of a run has started, by how they ended. */
  countChildren(parentSeq: number, node: string): Promise<ChildCounts> {
    return this.#deps.store.countChildren(parentSeq, node)
  }

  /** With all that it started. */
  cancel(run: StoredRun): Promise<void> {
    return this.#cancellation.cancel(run)
  }

  /** Goes on from the step that failed, on the version that the run started with. */
  async retry(run: StoredRun): Promise<void> {
    if (run.outcome === null || run.outcome.status === 'succeeded') throw notRetryable(run)
    if (run.parent?.isAwaited === true) throw belongsToParent(run, 'Retry')
    await assertCanGoOn(run, this.#deps.library)
    await this.#cancellation.stopBelow(run)
    const reopened = await reopenRun(run, { ...this.#deps, dispatcher: this.#dispatcher })
    if (reopened === undefined) throw await whyNotReopened(run, this.#deps.library)
    const { no, entry } = reopened
    this.#backlog.entered()
    this.#publisher.publish({ kind: 'journal', no, flowId: run.flowId, runId: run.id, entry })
    this.#dispatcher.resume(run, [entry])
  }

  /** Ends a wait of a step, which goes on at once: a run that is parked is due, and whoever executes one that is not is told. */
  async wake(run: StoredRun, node: string, { early, ...reason }: WakeReason): Promise<WakeResult> {
    const at = this.#deps.clock.now()
    const { store } = this.#deps
    const { entry, answer } = wokenEntry(node, at, reason)
    const result = await store.wake({ run, node, at, entry, answer, ...(early === true && { early }) })
    if (!result.won) return result
    const { id: runId, flowId } = run
    this.#publisher.publish({ kind: 'journal', no: result.no, flowId, runId, entry })
    this.#dispatcher.mayHaveDue([flowId])
    this.#dispatcher.tell(runId, 'woken')
    return result
  }

  /** A new run of the same input, or of an edited one, on the live version. */
  replay(run: StoredRun, flow: LiveFlow, input: Uint8Array = run.input): Promise<AcceptedRun> {
    if (run.trigger === ITEM_TRIGGER) return Promise.reject(belongsToParent(run, 'Replay'))
    const { request, session, id: replayOf } = run
    const trigger = run.trigger === FLOW_TRIGGER ? 'api' : run.trigger
    return this.start({ flow, trigger, input, request, session, replayOf })
  }

  subscribe: RunNews['subscribe'] = (flowId, listener) => this.#publisher.subscribe(flowId, listener)

  /** To the text that steps put out while they work. */
  subscribeToText: TextNews['subscribe'] = (flowId, listener) => this.#text.subscribe(flowId, listener)

  #flowChanged({ kind, flow: { id, paused }, before }: FlowChange): void {
    const wasPaused = (before?.paused ?? null) !== null
    if (kind === 'deleted' || wasPaused === (paused !== null)) return
    this.#dispatcher.pauseChanged(id, !wasPaused)
  }

  documentOf(run: StoredRun): Promise<FlowDocument> {
    return documentOfRun(run, this.#deps.store, this.#deps.library)
  }

  #childrenDeps(starts: ChildStarts): ChildrenDeps {
    const { store, clock, library } = this.#deps
    return {
      store,
      clock,
      persist: this.#persistence.persist,
      findFlow: (reference) => library.find(reference),
      outside: starts.outside,
      offer: (run) => this.#acceptance.childAccepted(run),
      mayHaveDue: (flowIds) => this.#dispatcher.mayHaveDue(flowIds),
      cancelOrphaned: (parent) => this.#cancellation.cancelOrphaned(parent)
    }
  }

  #ended(run: ExecutableRun, status: EndStatus, wasCounted = true): void {
    if (wasCounted) this.#backlog.left()
    this.#watch.ended(run.id, status)
    if (run.isTest !== true && run.parent === undefined) this.#deps.onEnded(status)
  }
}
