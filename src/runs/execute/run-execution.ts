import type { Ending } from '../../engine/effects.ts'
import { Execution } from '../../engine/execution.ts'
import { EMPTY_JOURNAL, type JournalEntry, type JournalState, recall } from '../../engine/journal.ts'
import type { Plan } from '../../engine/plan.ts'
import type { GivenOutputs } from '../../engine/progress.ts'
import type { StepRecord } from '../../engine/step-record.ts'
import { MillraceError } from '../../errors.ts'
import type { ExecutableRun, Outcome } from '../../store/store.ts'
import { ChildrenOfRun, waitsForChildren } from '../children/children-of-run.ts'
import { LiveText } from '../live-text/live-text.ts'
import { cancelledOutcome } from '../record/cancelled-outcome.ts'
import { bareOutcome, type Ended, isBare, outcomeOf, unstorable } from '../record/ended-outcome.ts'
import { decodeEntry, type EncodedEntry, encodeWithMessages } from '../record/journal-codec.ts'
import { newUsage } from '../record/new-usage.ts'
import { NOTHING_STORED, type RunStart, runStartOf } from '../record/run-start.ts'
import { wokenSteps } from '../record/woken-entry.ts'
import { linkedScope } from '../steps/linked-scope.ts'
import { RunEffects } from '../steps/run-effects.ts'
import type { RunInContext } from '../steps/run-in-context.ts'
import { RunOutputs } from '../steps/run-outputs.ts'
import type { Executed, ExecutingRun, ExecutionListener, ExecutorDeps, NewsOfRun } from './executing-run.ts'
import { OwnWrites } from './own-writes.ts'
import { isStoreAway, planFailure } from './plan-failure.ts'
import { RunSuspicion } from './run-suspicion.ts'
import type { Queued } from './run-window.ts'
import { callStartHooks } from './start-hooks.ts'
import { StoredJournal, type WritesJournal } from './stored-journal.ts'
import { hangsOf, NO_HANGS, suspectSteps, withKiller } from './suspect-steps.ts'
import { tellEnded, tellRunEnd } from './tell-run-end.ts'

export class RunExecution implements ExecutingRun, WritesJournal {
  readonly #run: ExecutableRun
  #journal: readonly string[]
  readonly #mayHaveHung: boolean
  readonly #hasSeenOneDeath: boolean
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
  readonly #writes: OwnWrites
  #given: GivenOutputs | undefined
  #children: ChildrenOfRun | undefined
  #around: RunInContext | undefined
  #suspicion: RunSuspicion | undefined

  constructor(
    { run, journal, mayHaveHung = false, hasSeenOneDeath = false }: Queued,
    deps: ExecutorDeps,
    listener: ExecutionListener
  ) {
    this.#run = run
    this.#journal = journal
    this.#mayHaveHung = mayHaveHung
    this.#hasSeenOneDeath = hasSeenOneDeath
    this.#deps = deps
    this.#listener = listener
    this.#writes = new OwnWrites(deps.persist)
  }

  start(plan: Plan, isSuspect: boolean, given?: (start: RunStart) => GivenOutputs): void {
    const recalled = withKiller(this.#recall(), plan, this.#run, this.#deps.watch)
    const start = this.#stored
    this.#given = given?.(start)
    const { clock, pacing, outside, textStreams, store, persist, watch } = this.#deps
    const { newId, now } = clock
    const run = this.#run
    const scope = this.#deps.scopeOf(plan.context)
    const { linked } = plan
    const context = linked === undefined ? scope : linkedScope(scope, linked, run.id, outside.addresses)
    const outputs = new RunOutputs({ run, start, limits: context.outputLimits, pacing, store, persist })
    this.#stored = outputs
    const liveText = new LiveText(run, textStreams)
    const surroundings = { scope, outside, textStreams, watch, pacing }
    const children = new ChildrenOfRun({ run, plan, outputs, around: surroundings }, this.#deps.children)
    this.#children = children
    if (waitsForChildren(recalled)) children.hasSome()
    this.#around = { run, start, context, outputs, pacing, outside, liveText, children, persist, newId, now }
    const settled = outputs.restore(recalled.settled)
    const isAtHand = !(settled instanceof Promise) && !this.#mayHaveHung
    if (isAtHand) return this.#prepare(plan, isSuspect, recalled, outputs)
    Promise.all([settled, this.#mayHaveHung ? hangsOf(run, this.#deps) : NO_HANGS])
      .then(([loaded, hangs]) => {
        const known = { ...recalled, settled: loaded, ...(hangs.size === 0 ? {} : { hangs }) }
        this.#prepare(plan, isSuspect || hangs.size > 0, known, outputs)
      })
      .catch((error) => this.#cannotLoad(error))
  }

  /** What the store does not give now, as when the service stops, it gives later; what is gone, never. */
  #cannotLoad(error: unknown): void {
    if (error instanceof MillraceError && error.code !== 'run_not_found')
      this.#conclude({ kind: 'interrupted' })
    else this.cannotStart(error)
  }

  #prepare(plan: Plan, isSuspect: boolean, recalled: JournalState, outputs: RunOutputs): void {
    if (this.#isToStop) return this.cancelUnbegun(plan)
    const { input, request } = outputs
    const given = this.#given
    const run = { plan, storedValues: [input, request], trigger: this.#run.trigger, given, isSuspect }
    const around = this.#around!
    const { watch, clock } = this.#deps
    const journal = new StoredJournal(this.#run, this, this.#deps)
    const effects = new RunEffects({ around, outputs, journal, watch, clock })
    this.#execution = new Execution(run, recalled, effects, (ending) => this.#conclude(ending))
    if (this.#hasNews) this.notify('woken')
    if (this.#wish === 'interrupt') return this.#execution.interrupt()
    const cutOff = suspectSteps(plan, recalled)
    const isNearTrials = isSuspect && !this.#hasSeenOneDeath && recalled.begun.size > 0
    if (cutOff !== undefined || isNearTrials) this.#waitForQuarantine(recalled, cutOff)
    else this.#enter(recalled)
  }

  #recall(): JournalState {
    this.#stored = runStartOf(this.#run)
    return recall(this.#journal.map((entry) => decodeEntry(entry, this.#stored)))
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
      return this.#recall()
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
    if (news === 'child ended') this.#execution?.childrenEnded()
    if (news !== 'woken') return
    this.#hasNews = this.#execution === undefined
    if (this.#hasNews) return
    // What cannot be read now is found when the other steps are done: parked, the run is due at once.
    wokenSteps(this.#run.id, this.#deps.store).then(
      (woken) => woken.forEach((step) => void this.#execution?.woken(step.node, step)),
      () => {}
    )
  }

  /** False when the run has ended elsewhere, or the service stops before the store takes the entry. */
  async checkpoint(
    entry: JournalEntry,
    write = ({ text, printed }: EncodedEntry) => this.#deps.store.checkpoint(this.#run, text, printed)
  ): Promise<boolean> {
    if (this.#isConcluded) return false
    try {
      const encoded = encodeWithMessages(entry, this.#stored)
      const isOurs = this.#tellJournal(await this.#writes.write(() => write(encoded)), encoded.text)
      this.#suspicion?.clear(entry.settled ?? [])
      return isOurs
    } catch (error) {
      if (!(error instanceof MillraceError)) this.#conclude(this.#unstorable(error, entry))
      return false
    }
  }

  writeOwn<T>(write: () => Promise<T | null>): Promise<T | null> {
    return this.#writes.write(write)
  }

  #conclude(ending: Ending): void {
    if (this.#isConcluded) return
    this.#isConcluded = true
    switch (ending.kind) {
      case 'ended':
        this.#endAs(ending)
        return
      case 'parked':
        this.#park(ending)
        return
      case 'interrupted':
      case 'lost':
        this.#handBack(ending.kind)
    }
  }

  /** It has not begun since it was taken up, and nothing of it will. */
  cancelUnbegun(plan?: Plan): void {
    if (this.#isConcluded) return
    this.#isConcluded = true
    this.#end(cancelledOutcome({ ...this.#run, journal: this.#journal }, plan, this.#deps.clock.now()))
  }

  #endAs(ending: Ended): void {
    this.#end(outcomeOf(ending, this.#stored, this.#deps.clock.now()))
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
    const { store } = this.#deps
    this.#writes
      .write(() => store.park(this.#run, encoded.text, dueAt, awaits, encoded.printed))
      .then(
        (no) => {
          if (!this.#tellJournal(no, encoded.text)) return this.#handBack('lost')
          this.#deps.onParked(this.#run.id, this.#wish === 'cancel')
          this.#handBack({ dueAt, mayBeDue: awaits.length > 0 })
        },
        (error) => {
          if (error instanceof MillraceError) this.#handBack('interrupted')
          else this.#endAs(this.#unstorable(error, entry))
        }
      )
  }

  #end(outcome: Outcome): void {
    const { store } = this.#deps
    this.#writes
      .write(() => store.end(this.#run, outcome))
      .then(
        (no) => this.#ended(no, outcome),
        (error) => {
          // The store refuses this end for what is in it: then only that the run failed is kept.
          if (error instanceof MillraceError || isBare(outcome)) this.#handBack('interrupted')
          else this.#end(bareOutcome(outcome, error))
        }
      )
  }

  awaits(isAwaiting: boolean): void {
    if (this.#isAwaiting === isAwaiting) return
    this.#isAwaiting = isAwaiting
    this.#listener.awaits(isAwaiting)
  }

  #handBack(how: Executed): void {
    this.#writes.end()
    this.#suspicion?.leave()
    this.awaits(false)
    this.#listener.done(how)
  }

  #ended(no: number | null, outcome: Outcome): void {
    if (no === null) return this.#handBack('lost')
    tellEnded(this.#run, no, outcome, this.#deps.publisher)
    for (const usage of newUsage(this.#run, outcome, this.#journal)) this.#deps.onUsage(usage)
    this.#deps.onEnded(this.#run, outcome.status)
    if (this.#run.parent !== undefined) this.#deps.onChildEnded(this.#run, this.#run.parent)
    this.#children?.parentEnded(outcome.status)
    if (this.#around !== undefined) void tellRunEnd(this.#around, outcome, this.#deps.onError)
    this.#handBack('ended')
  }

  #tellJournal(no: number | null, entry: string): boolean {
    if (no === null) return false
    const { id: runId, flowId } = this.#run
    this.#deps.publisher.publish({ kind: 'journal', no, flowId, runId, entry })
    return true
  }
}
