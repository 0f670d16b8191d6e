import type { Ending } from '../../engine/effects.ts'
import { Execution } from '../../engine/execution.ts'
import { EMPTY_JOURNAL, type JournalEntry, type JournalState } from '../../engine/journal.ts'
import type { Plan } from '../../engine/plan.ts'
import { crashedSteps, type GivenOutputs } from '../../engine/progress.ts'
import type { StepRecord } from '../../engine/step-record.ts'
import { MillraceError } from '../../errors.ts'
import type { ExecutableRun, Outcome } from '../../store/store.ts'
import { answerOfEnding, type FlowAnswer } from '../answers/flow-answer.ts'
import type { ChildrenOfRun } from '../children/children-of-run.ts'
import { cancelledOutcome } from '../record/cancelled-outcome.ts'
import { type Ended, outcomeOf, unstorable } from '../record/ended-outcome.ts'
import { type EncodedEntry, encodeWithMessages } from '../record/journal-codec.ts'
import { NOTHING_STORED, type RunStart, runStartOf } from '../record/run-start.ts'
import { wokenSteps } from '../record/woken-entry.ts'
import { RunEffects } from '../steps/run-effects.ts'
import type { RunInContext } from '../steps/run-in-context.ts'
import type { Executed, ExecutingRun, ExecutionListener, ExecutorDeps, NewsOfRun } from './executing-run.ts'
import { forgetEntries } from './forget-entries.ts'
import { isStoreAway, planFailure } from './plan-failure.ts'
import { type PreparedRun, prepareRun, recallJournal, restoreJournal } from './prepare-run.ts'
import { RunSuspicion } from './run-suspicion.ts'
import type { RunInMemory } from './run-window.ts'
import { type EndListener, RunWrites } from './run-writes.ts'
import { callStartHooks } from './start-hooks.ts'
import { StoredJournal, type WritesJournal } from './stored-journal.ts'
import { suspectSteps, withKiller } from './suspect-steps.ts'
import { tellEnded, tellRunEnd } from './tell-run-end.ts'

/** One run in this process, from its queue to its end, its park or its return: what it is told meanwhile, and what comes of it. */
export class RunExecution implements ExecutingRun, WritesJournal, EndListener {
  readonly #queued: RunInMemory
  readonly #run: ExecutableRun
  /** A run that could not be planned has no steps, and nobody asks what it was given. */
  #stored = NOTHING_STORED
  readonly #deps: ExecutorDeps
  readonly #listener: ExecutionListener
  #isAwaiting = false
  #execution: Execution | undefined
  /** `stop`: it is not ours any more, which is no reason for its run to end. */
  #wish: 'cancel' | 'interrupt' | 'stop' | undefined
  #isConcluded = false
  /** Something was written into its journal that it has not seen. */
  #hasNews = false
  readonly #writes: RunWrites
  #given: GivenOutputs | undefined
  #children: ChildrenOfRun | undefined
  #around: RunInContext | undefined
  #suspicion: RunSuspicion | undefined
  #answer: FlowAnswer | undefined

  constructor(queued: RunInMemory, deps: ExecutorDeps, listener: ExecutionListener) {
    this.#queued = queued
    this.#run = queued.run
    this.#deps = deps
    this.#listener = listener
    this.#writes = new RunWrites(queued.run, deps)
  }

  start(start: RunStart, plan: Plan, isSuspect: boolean, given?: (start: RunStart) => GivenOutputs): void {
    const recalled = withKiller(this.#recall(start), plan, this.#run, this.#deps.watch)
    this.#given = given?.(start)
    const prepared = prepareRun(this.#run, plan, start, recalled, this.#deps)
    this.#around = prepared
    this.#writes.context = plan.context
    forgetEntries(this.#queued, this.#writes, this.#deps)
    this.#stored = prepared.outputs
    this.#children = prepared.children
    const restored = restoreJournal(recalled, prepared, this.#queued.mayHaveHung === true, this.#deps)
    if (!(restored instanceof Promise)) return this.#prepare(plan, isSuspect, restored, prepared)
    restored
      .then((known) => this.#prepare(plan, isSuspect || known.hangs !== undefined, known, prepared))
      .catch((error) => this.#cannotLoad(error))
  }

  /** What the store does not give now, as when the service stops, it gives later; what is gone, never. */
  #cannotLoad(error: unknown): void {
    if (error instanceof MillraceError && error.code !== 'run_not_found')
      this.#conclude({ kind: 'interrupted' })
    else this.cannotStart(error)
  }

  #prepare(plan: Plan, isSuspect: boolean, recalled: JournalState, around: PreparedRun): void {
    if (this.#isToStop) return this.cancelUnbegun(plan)
    const { input, request } = around.outputs
    const given = this.#given
    const run = { plan, storedValues: [input, request], trigger: this.#run.trigger, given, isSuspect }
    const { watch, clock, deadly } = this.#deps
    const crashed = crashedSteps(plan, recalled)
    if (crashed.length > 0) deadly.note(this.#run, crashed)
    const journal = new StoredJournal(around, this, this.#deps)
    const effects = new RunEffects({ around, outputs: around.outputs, journal, watch, clock })
    this.#execution = new Execution(run, recalled, effects, (ending) => this.#conclude(ending))
    if (this.#hasNews) this.notify('woken')
    if (this.#wish === 'interrupt') return this.#execution.interrupt()
    const cutOff = suspectSteps(plan, recalled)
    const isNearTrials = isSuspect && this.#queued.hasSeenOneDeath !== true && recalled.begun.size > 0
    if (cutOff !== undefined || isNearTrials) this.#waitForQuarantine(recalled, cutOff)
    else this.#enter(recalled)
  }

  #recall(start: RunStart): JournalState {
    this.#stored = start
    return recallJournal(this.#queued.journal, start)
  }

  #enter({ settled }: JournalState): void {
    const execution = this.#execution!
    const around = this.#around!
    if (around.context.onRunStart.length === 0) this.#begin(execution)
    else void this.#beginAfterHooks(execution, around, [...settled.values()])
  }

  #waitForQuarantine(recalled: JournalState, cutOff: Set<string> | undefined): void {
    this.#suspicion = new RunSuspicion(this.#deps.quarantine, cutOff)
    this.#suspicion.enter(() => {
      // Whoever was cancelled or interrupted while it waited leaves as soon as that is durable.
      if (!this.#isConcluded) this.#enter(recalled)
    })
  }

  #begin(execution: Execution): void {
    if (this.#isToStop) execution.cancel()
    else if (this.#wish === 'interrupt') execution.interrupt()
    else execution.start()
  }

  /** `steps` are those that had succeeded before: forgotten, a retry would do them again. */
  async #beginAfterHooks(
    execution: Execution,
    around: RunInContext,
    steps: readonly StepRecord[]
  ): Promise<void> {
    const { clock } = this.#deps
    const startedAt = clock.now()
    const error = await callStartHooks(around, clock, () => this.#isConcluded)
    if (error !== null) return this.#conclude({ kind: 'ended', status: 'failed', error, startedAt, steps })
    this.#begin(execution)
  }

  /** The flow cannot be run any more as it was saved. What had been done stays: a retry goes on after it. */
  cannotStart(error: unknown): void {
    if (this.#isToStop) return this.cancelUnbegun()
    if (isStoreAway(error)) return this.#conclude({ kind: 'interrupted' })
    const failure = planFailure(error)
    const now = this.#deps.clock.now()
    const { startedAt, settled } = this.#recalledIfReadable()
    const steps = [...settled.values()]
    this.#conclude({ kind: 'ended', status: 'failed', error: failure, startedAt: startedAt ?? now, steps })
  }

  #recalledIfReadable(): JournalState {
    try {
      return this.#recall(runStartOf(this.#run))
    } catch {
      return EMPTY_JOURNAL
    }
  }

  cancel(): void {
    this.#wish = 'cancel'
    this.#execution?.cancel()
  }

  /** Nothing of it is written any more: what it is doing is in vain. */
  #stop(): void {
    this.#wish ??= 'stop'
    this.#execution?.cancel()
  }

  get #isToStop(): boolean {
    return this.#wish === 'cancel' || this.#wish === 'stop'
  }

  interrupt(): void {
    this.#wish ??= 'interrupt'
    this.#execution?.interrupt()
  }

  notify(news: NewsOfRun): void {
    this.#writes.notify(news)
    if (news === 'lost') this.#stop()
    if (news === 'child ended' || news === 'woken') this.#execution?.childrenEnded()
    if (news !== 'woken') return
    this.#hasNews = this.#execution === undefined
    if (this.#execution?.mayBeWoken !== true) return
    const { store, persist } = this.#deps
    // When the service stops it need not be known: whoever takes the run up next reads its journal.
    persist(() => wokenSteps(this.#run.id, store)).then(
      (woken) => woken.forEach((step) => void this.#execution?.woken(step.node, step)),
      () => {}
    )
  }

  /** False when the run has ended elsewhere, or the service stops before the store takes the entry. */
  async checkpoint(
    entry: JournalEntry,
    write?: (encoded: EncodedEntry) => Promise<number | null>
  ): Promise<boolean> {
    if (this.#isConcluded) return false
    try {
      const encoded = encodeWithMessages(entry, this.#stored)
      const isOurs = await this.#writes.journal(encoded, write)
      this.#suspicion?.clear(entry.settled ?? [])
      return isOurs
    } catch (error) {
      if (!(error instanceof MillraceError)) this.#conclude(this.#unstorable(error, entry))
      return false
    }
  }

  writeOwn<T>(write: () => Promise<T | null>): Promise<T | null> {
    return this.#writes.own(write)
  }

  #conclude(ending: Ending): void {
    if (this.#isConcluded) return
    this.#isConcluded = true
    if (ending.kind === 'ended') this.#endAs(ending)
    else if (ending.kind === 'parked') this.#park(ending)
    else this.#handBack(ending.kind)
  }

  /** It has not begun since it was taken up, and nothing of it will. */
  cancelUnbegun(plan?: Plan): void {
    if (this.#isConcluded) return
    this.#isConcluded = true
    const run = { ...this.#run, journal: this.#queued.journal }
    this.#writes.end(cancelledOutcome(run, plan, this.#deps.clock.now()), this)
  }

  #endAs(ending: Ended): void {
    const outcome = outcomeOf(ending, this.#stored, this.#deps.clock.now())
    if (this.#deps.answers.isAwaited(this.#run.id)) this.#answer = answerOfEnding(ending, outcome)
    this.#writes.end(outcome, this)
    this.#letGo()
  }

  /** An entry cannot be written: a component has spoiled an output since it returned it. The run ends with that. */
  #unstorable(error: unknown, { startedAt = this.#deps.clock.now() }: JournalEntry): Ended {
    return unstorable(error, { startedAt, steps: this.#execution?.abandon() ?? [] }, this.#stored)
  }

  /**
   * What the steps were made of is garbage now, and the end is not durable until its batch is: kept for so long, the
   * collector would copy all of it. That was 13 of 57 µs per run.
   */
  #letGo(): void {
    this.#stored = NOTHING_STORED
    this.#execution = undefined
    this.#given = undefined
    if (this.#children?.hasNone) this.#children = undefined
    if (this.#around?.context.onRunEnd.length === 0) this.#around = undefined
  }

  #park({ entry, dueAt, awaits }: Extract<Ending, { kind: 'parked' }>): void {
    let encoded: EncodedEntry
    try {
      encoded = encodeWithMessages(entry, this.#stored)
    } catch (error) {
      return this.#endAs(this.#unstorable(error, entry))
    }
    this.#writes.park(encoded, dueAt, awaits).then(
      (isOurs) => {
        if (!isOurs) return this.#handBack('lost')
        this.#deps.onParked(this.#run.id, this.#wish === 'cancel')
        this.#handBack({ dueAt, mayBeDue: awaits.length > 0 })
      },
      (error) => {
        if (error instanceof MillraceError) this.#handBack('interrupted')
        else this.#endAs(this.#unstorable(error, entry))
      }
    )
  }

  endRefused(): void {
    this.#handBack('interrupted')
  }

  awaits(isAwaiting: boolean): void {
    if (this.#isAwaiting === isAwaiting) return
    this.#isAwaiting = isAwaiting
    this.#listener.awaits(isAwaiting)
  }

  #handBack(how: Executed): void {
    this.#writes.stop()
    this.#suspicion?.leave()
    this.awaits(false)
    this.#listener.done(how)
  }

  endWritten(no: number | null, outcome: Outcome): void {
    if (no === null) return this.#handBack('lost')
    tellEnded(this.#queued, no, outcome, this.#answer, this.#deps)
    this.#children?.parentEnded(outcome.status)
    if (this.#around !== undefined) void tellRunEnd(this.#around, outcome, this.#deps.onError)
    this.#handBack('ended')
  }
}
