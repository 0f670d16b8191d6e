import type { Clock } from '../clock.ts'
import type { LazyAbort } from '../engine/lazy-abort.ts'
import type { StepRecord } from '../engine/step-record.ts'
import type { FlowDocument } from '../flows/document/flow-document.ts'
import { fileIdsIn } from '../flows/file-ids.ts'
import type { Pacer } from '../flows/in-turns.ts'
import type { FlowLibrary } from '../library/flow-library.ts'
import type { LiveFlow } from '../library/live-flow.ts'
import type { ChildCounts } from '../store/children.ts'
import type { Delivery } from '../store/deliveries.ts'
import type { NamedFiles } from '../store/files.ts'
import type { Acceptance, AcceptedRun, EndStatus, RunStore, StoredRun } from '../store/store.ts'
import type { TriggerEvent } from '../store/triggers.ts'
import type { WakeResult } from '../store/waits.ts'
import type { AnswerText } from './answers/answer-text.ts'
import type { AnswerWatch } from './answers/answer-watch.ts'
import { openForCall } from './children/open-for-call.ts'
import { untilOutsideWaitBelow } from './children/outside-wait-below.ts'
import { FLOW_TRIGGER, isInside } from './children/run-result.ts'
import type { Backlog, Dispatch } from './dispatch/dispatch.ts'
import type { EndedWatch } from './dispatch/ended-watch.ts'
import type { DeadlyNodes } from './execute/deadly-nodes.ts'
import type { Persistence } from './execute/persistence.ts'
import { documentOfRun } from './execute/plan-of-run.ts'
import type { RunFiles } from './files/run-files.ts'
import { type ChosenItems, itemsAgain } from './items-again.ts'
import type { TextNews } from './live-text/text-news.ts'
import { shownCalls } from './present/agent-calls.ts'
import { AnswerPace } from './present/answer-pace.ts'
import type { RunNews } from './present/run-news.ts'
import type { RunReader } from './present/run-reader.ts'
import type { PresentedMark, PresentedRun } from './present/run-shape.ts'
import type { Start, TestStart } from './record/new-run.ts'
import { type WakeReason, wokenEntry } from './record/woken-entry.ts'
import type { Recording, RehearsalRuns } from './rehearsal/recording.ts'
import type { Rehearsed, ToRehearse } from './rehearsal/rehearse-run.ts'
import { assertCanGoOn, reopenRun, whyNotReopened } from './reopen-run.ts'
import { type ReplayedCall, scopeFromCall } from './replay-from-call.ts'
import type { RunAcceptance } from './run-acceptance.ts'
import type { RunCancellation } from './run-cancellation.ts'
import { belongsToParent, itemsOfFailed, notOver, notRetryable, runNotFound } from './run-refusals.ts'
import type { ReadPiece } from './steps/long-values.ts'
import type { NodeTrial } from './try-node.ts'

/** What create-runs.ts puts together. */
interface RunParts {
  readonly store: RunStore
  readonly clock: Clock
  readonly library: FlowLibrary
  readonly backlog: Backlog
  readonly news: RunNews
  readonly text: TextNews
  readonly dispatcher: Dispatch
  readonly deadly: Pick<DeadlyNodes, 'read' | 'changed'>
  readonly persistence: Persistence
  readonly watch: EndedWatch
  readonly answers: AnswerWatch
  readonly answerText: AnswerText
  readonly acceptance: RunAcceptance
  readonly cancellation: RunCancellation
  readonly reader: RunReader
  readonly files: Pick<RunFiles, 'namedAgain' | 'noteSent'>
  readonly tryNode: (trial: NodeTrial, signal: AbortSignal) => Promise<StepRecord>
  readonly rehearse: (toRehearse: ToRehearse, abort: LazyAbort, store?: RehearsalRuns) => Promise<Rehearsed>
  readonly record: (run: StoredRun, most: number) => Promise<Recording | undefined>
}

/** Everything that can be done with runs: start, watch, read, cancel, retry and replay them. */
export class Runs {
  readonly #parts: RunParts
  /** Runs one node by itself, for somebody who waits for it; nothing of it is stored. */
  readonly tryNode: RunParts['tryNode']
  /** Runs a plan on what started a run, without acting; nothing of it is stored. */
  readonly rehearse: RunParts['rehearse']
  /** A run that has ended, with all that it takes to rehearse it when it is gone. */
  readonly record: RunParts['record']

  constructor(parts: RunParts) {
    this.#parts = parts
    this.tryNode = parts.tryNode
    this.rehearse = parts.rehearse
    this.record = parts.record
  }

  get backlog(): number {
    return this.#parts.backlog.count
  }

  get isStopping(): boolean {
    return this.#parts.watch.isStopped
  }

  /** Takes up what an earlier process left unfinished. */
  async resume(): Promise<void> {
    await this.#parts.deadly.read()
    await this.#parts.dispatcher.start()
  }

  /** Lets steps under way reach a checkpoint. */
  async stop(): Promise<void> {
    this.#parts.acceptance.stop()
    this.#parts.cancellation.stop()
    this.#parts.watch.stop()
    this.#parts.answers.stop()
    // What is being written still is; only trying again ends soon, since a broken disk must not hold up the stop.
    this.#parts.persistence.stop()
    await this.#parts.dispatcher.stop()
  }

  /** Resolves when the run is durable. It begins as soon as there is room. */
  start(start: Start): Promise<AcceptedRun> {
    return this.#parts.acceptance.start(start)
  }

  /** Tries a document out that is not live. */
  startTest(test: TestStart): Promise<AcceptedRun> {
    return this.#parts.acceptance.startTest(test)
  }

  /** Starts nothing where one of the deliveries has started a run within a day. */
  startOnce(start: Start, deliveries: readonly Delivery[]): Promise<Acceptance> {
    return this.#parts.acceptance.startOnce(start, deliveries)
  }

  /** Starts nothing where the trigger of that node has got as far already. */
  startEvent(start: Start, event: TriggerEvent): Promise<AcceptedRun | undefined> {
    return this.#parts.acceptance.startEvent(start, event)
  }

  /** To be called right after `start` resolved: the run cannot have ended before the next turn of the loop. */
  waitForEnd(runId: string, ms: number, signal?: AbortSignal): Promise<EndStatus | undefined> {
    return this.#parts.watch.wait(runId, ms, signal)
  }

  /** For callers that wait for what their flow answers. */
  get answers(): Pick<AnswerWatch, 'wait' | 'waitForEarlier' | 'leave' | 'sending' | 'allSent' | 'cutOff'> {
    return this.#parts.answers
  }

  /** Resolves when all that is left of the run below waits, and for somebody outside; or when it is aborted. */
  untilOutsideWaitBelow(run: Pick<StoredRun, 'id' | 'seq'>, signal: AbortSignal): Promise<void> {
    const { store, clock } = this.#parts
    return untilOutsideWaitBelow(run, { store, clock, isActive: this.#parts.reader.isActive }, signal)
  }

  /** The same for a run that may have ended long ago. Undefined also where it has been deleted since. */
  async waitForEarlier(runId: string, ms: number): Promise<EndStatus | undefined> {
    const wait = new AbortController()
    const ended = this.#parts.watch.wait(runId, ms, wait.signal)
    try {
      const run = await this.#parts.store.get(runId)
      return run?.outcome === null ? await ended : run?.outcome.status
    } finally {
      wait.abort()
    }
  }

  async get(id: string): Promise<StoredRun> {
    const run = await this.#parts.store.get(id)
    if (run === undefined) throw runNotFound()
    return run
  }

  /** For long values, which a presented run only names. */
  readonly readPiece: ReadPiece = (seq, name, piece) => this.#parts.store.readPiece(seq, name, piece)

  /** For one answer: who reads for it lets others have their turn. */
  answerPace(): Pacer {
    return new AnswerPace(this.#parts.clock)
  }

  present(run: StoredRun, pace: Pacer = this.answerPace()): Promise<PresentedRun> {
    return this.#parts.reader.present(run, pace)
  }

  list(...filter: Parameters<RunReader['list']>): ReturnType<RunReader['list']> {
    return this.#parts.reader.list(...filter)
  }

  /** The newest runs of each of these flows, newest first. */
  recent(flowIds: readonly string[], limit: number): Promise<Map<string, PresentedMark[]>> {
    return this.#parts.reader.recent(flowIds, limit)
  }

  /** How many runs a node of a run has started, by how they ended. */
  countChildren(parentSeq: number, node: string): Promise<ChildCounts> {
    return this.#parts.store.countChildren(parentSeq, node)
  }

  /** With all that it started. */
  cancel(run: StoredRun): Promise<void> {
    return this.#parts.cancellation.cancel(run)
  }

  /** Goes on from the step that failed, or with the items that did, on the version that the run started with. */
  async retry(run: StoredRun, chosen: ChosenItems = {}): Promise<void> {
    if (run.outcome === null) throw notRetryable(run)
    if (run.parent?.isAwaited === true) throw belongsToParent(run, 'Retry')
    const hasSucceeded = run.outcome.status === 'succeeded'
    if (!hasSucceeded && (chosen.node ?? chosen.items) !== undefined) throw itemsOfFailed(run)
    await assertCanGoOn(run, this.#parts.library)
    const again = hasSucceeded ? itemsAgain(run, await this.documentOf(run), chosen) : undefined
    await this.#parts.cancellation.stopBelow(run)
    const reopened = await reopenRun(run, this.#parts, again)
    if (reopened === undefined) throw await whyNotReopened(run, this.#parts.library)
    this.#parts.deadly.changed()
    const { no, entry } = reopened
    this.#parts.backlog.entered()
    this.#parts.news.publish({ kind: 'journal', no, flowId: run.flowId, runId: run.id, entry })
    this.#parts.dispatcher.resume(run, [entry])
  }

  /** Ends a wait of a step, which goes on at once: a run that is parked is due, and whoever executes one that is not is told. */
  async wake(run: StoredRun, node: string, { early, ...reason }: WakeReason): Promise<WakeResult> {
    const at = this.#parts.clock.now()
    const { store } = this.#parts
    const { entry, answer } = wokenEntry(node, at, reason)
    await this.#parts.files.noteSent(run, reason.value)
    const wake = { run, node, at, entry, answer, ...(early === true && { early }) }
    let result = await store.wake(wake)
    const isEnded = !result.won && result.because === 'ended'
    if (isEnded && early === true && (await openForCall(run.id, this.#parts))) result = await store.wake(wake)
    if (!result.won) return result
    const { id: runId, flowId } = run
    this.#parts.news.publish({ kind: 'journal', no: result.no, flowId, runId, entry })
    this.#parts.dispatcher.mayHaveDue([flowId])
    this.#parts.dispatcher.tell(runId, 'woken')
    return result
  }

  /** A new run of the same input, or of an edited one, on the live version. */
  async replay(
    run: StoredRun,
    flow: LiveFlow,
    input: Uint8Array = run.input,
    files?: NamedFiles
  ): Promise<AcceptedRun> {
    if (isInside(run)) throw belongsToParent(run, 'Replay')
    const { request, session, context, id: replayOf } = run
    const trigger = run.trigger === FLOW_TRIGGER ? 'api' : run.trigger
    const named = files ?? (await this.filesAgain(run, input, {}))
    return this.start({ flow, trigger, input, request, session, context, replayOf, ...named })
  }

  /**
   * What a run names that is started again with this input: what the one before named of it, and what somebody gives who has edited it.
   * An id that was in the input before, and named nothing, goes on naming nothing: whoever starts it again has not written it.
   */
  async filesAgain(run: StoredRun, input: Uint8Array, given: NamedFiles): Promise<NamedFiles> {
    const before = fileIdsIn(run.input)
    const added = (given.uses ?? []).filter((id) => !before.includes(id))
    const uses = [...(await this.#parts.files.namedAgain(run, input)), ...added]
    return uses.length === 0 ? {} : { uses }
  }

  subscribe: RunNews['subscribe'] = (flowId, listener) => this.#parts.news.subscribe(flowId, listener)

  /** To the text that steps put out while they work. */
  subscribeToText: TextNews['subscribe'] = (flowId, listener) => this.#parts.text.subscribe(flowId, listener)

  /** What the steps of a run tell, for callers that get it as their answer. */
  get answerText(): Pick<AnswerText, 'expect' | 'listen'> {
    return this.#parts.answerText
  }

  /** What an agent of the run has asked, from this place on. */
  callsOf(run: StoredRun, node: string, from: number): ReturnType<typeof shownCalls> {
    return shownCalls(run, node, from, this.#parts.store)
  }

  /** A new run, as a test, that goes on behind a call of an agent of this one. */
  async replayFromCall(run: StoredRun, flow: LiveFlow, call: ReplayedCall): Promise<AcceptedRun> {
    if (run.parent !== undefined) throw belongsToParent(run, 'Replay')
    if (run.outcome === null) throw notOver(run)
    const document = await this.documentOf(run)
    const scope = await scopeFromCall(run, document, call, this.#parts)
    const { trigger, input, request, session, context, id: replayOf } = run
    const { id, paused } = flow
    const files = await this.filesAgain(run, input, {})
    const start = { trigger, input, request, session, context, replayOf, ...files }
    return this.startTest({ flow: { id, paused, version: run.flowVersion }, document, scope, ...start })
  }

  documentOf(run: StoredRun): Promise<FlowDocument> {
    return documentOfRun(run, this.#parts.store, this.#parts.library)
  }
}
