import type { Clock } from '../clock.ts'
import type { Effects, Ending } from '../engine/effects.ts'
import { Execution } from '../engine/execution.ts'
import { type JournalEntry, type JournalState, recall } from '../engine/journal.ts'
import { type Plan, PlanError } from '../engine/plan.ts'
import type { StepRecord } from '../engine/step-record.ts'
import { MillraceError, messageOf } from '../errors.ts'
import type { EndStatus, NewMessage, Outcome, RunStore, RunToPerform, StoredOutcome } from '../store/store.ts'
import { decodeEntry, encodeEntry } from './journal-codec.ts'
import type { Waiting } from './lane.ts'
import type { Quarantine } from './quarantine.ts'
import type { RunNews } from './run-news.ts'
import type { RunScope } from './run-scope.ts'
import { type RunStart, runStartOf } from './run-start.ts'
import { type RunInContext, runView, stepArguments } from './step-arguments.ts'
import { encodeSteps } from './step-codec.ts'
import { tellRunEnd } from './tell-run-end.ts'

export interface PerformerDeps {
  readonly store: RunStore
  readonly clock: Clock
  readonly publisher: RunNews
  readonly planOf: (flowId: string, version: number) => Plan | Promise<Plan>
  readonly scopeOf: (context: string) => RunScope
  /** Tries a write until it is durable, however long the store refuses it; rejects only when the service stops. */
  readonly persist: <T>(write: () => Promise<T>) => Promise<T>
  readonly quarantine: Quarantine
  readonly onEnded: (run: RunToPerform, status: EndStatus) => void
  readonly onError: (error: unknown, doing: string) => void
}

/** How the performer hands a run back. */
export type Performed = 'ended' | 'parked' | 'interrupted' | 'lost'

/** A run that is being performed. */
export interface Performance {
  cancel(): void
  interrupt(): void
}

/** Performs runs: finds the plan, drives the engine, writes down what came of it and tells whoever listens. */
export class Performer {
  readonly #deps: PerformerDeps

  constructor(deps: PerformerDeps) {
    this.#deps = deps
  }

  /** `done` is called once, when what came of the run is durable. */
  perform({ run, journal }: Waiting, isSuspect: boolean, done: (how: Performed) => void): Performance {
    const performance = new RunPerformance(run, this.#deps, done)
    try {
      const plan = this.#deps.planOf(run.flowId, run.flowVersion)
      if (!(plan instanceof Promise)) {
        performance.start(plan, journal, isSuspect)
        return performance
      }
      plan.then(
        (made) => performance.start(made, journal, isSuspect),
        (error) => performance.cannotPlan(error)
      )
    } catch (error) {
      performance.cannotPlan(error)
    }
    return performance
  }
}

type Ended = Extract<Ending, { kind: 'ended' }>

/** The run cannot be written down as it is, so nothing of it but this can. */
function notStorable(error: unknown, startedAt: number): Ended {
  const message = `What a step put out cannot be stored: ${messageOf(error)} Outputs must stay plain data.`
  const failure = { node: null, code: 'output_not_json', message }
  return { kind: 'ended', status: 'failed', error: failure, startedAt, steps: [] }
}

/** Steps without effects that a process died in the middle of: one of them may be what it died of. */
function cutOffPureSteps(plan: Plan, { interruptions }: JournalState): Set<string> | undefined {
  if (interruptions.size === 0) return undefined
  const cutOff = plan.nodes.filter(({ id, effects }) => effects === 'pure' && interruptions.has(id))
  return cutOff.length === 0 ? undefined : new Set(cutOff.map(({ id }) => id))
}

/** A run that could not be planned has no steps, and nobody asks what it was given. */
const NOTHING_GIVEN: RunStart = { input: null, request: null }

class RunPerformance implements Performance {
  readonly #run: RunToPerform
  #start = NOTHING_GIVEN
  readonly #deps: PerformerDeps
  readonly #done: (how: Performed) => void
  #execution: Execution | undefined
  #wish: 'cancel' | 'interrupt' | undefined
  #isConcluded = false
  #around: RunInContext | undefined
  /** While the run is in quarantine, or waits for its trial or that of others: the steps that brought it there. */
  #suspects: Set<string> | undefined

  constructor(run: RunToPerform, deps: PerformerDeps, done: (how: Performed) => void) {
    this.#run = run
    this.#deps = deps
    this.#done = done
  }

  start(plan: Plan, journal: readonly string[], isSuspect: boolean): void {
    this.#start = runStartOf(this.#run)
    const recalled = recall(journal.map((entry) => decodeEntry(entry, this.#start)))
    const { input, request } = this.#start
    const run = { plan, storedValues: [input, request], trigger: this.#run.trigger, isSuspect }
    const context = this.#deps.scopeOf(plan.context)
    const { newId, now } = this.#deps.clock
    this.#around = { run: this.#run, start: this.#start, context, newId, now }
    const effects = this.#effects(this.#around)
    this.#execution = new Execution(run, recalled, effects, (ending) => this.#conclude(ending))
    const cutOff = cutOffPureSteps(plan, recalled)
    if (cutOff !== undefined || (isSuspect && recalled.begun.size > 0))
      this.#waitForQuarantine(recalled, cutOff)
    else this.#enter(recalled)
  }

  #enter({ settled }: JournalState): void {
    const execution = this.#execution!
    const around = this.#around!
    if (around.context.onRunStart.length === 0) this.#begin(execution)
    else void this.#beginAfterHooks(execution, around, [...settled.values()])
  }

  #waitForQuarantine(recalled: JournalState, cutOff: Set<string> | undefined): void {
    const { quarantine } = this.#deps
    const goOn = () => {
      // Whoever was cancelled or interrupted while it waited leaves as soon as that is durable.
      if (!this.#isConcluded) this.#enter(recalled)
    }
    this.#suspects = cutOff ?? new Set()
    if (cutOff === undefined) quarantine.afterwards(this, goOn)
    else quarantine.enter(this, goOn)
  }

  /** As soon as it is durable that these steps have an end, the process lives on. */
  #clearSuspicion(settled: readonly StepRecord[]): void {
    for (const { node } of settled) this.#suspects?.delete(node)
    if (this.#suspects?.size === 0) this.#leaveQuarantine()
  }

  #leaveQuarantine(): void {
    if (this.#suspects === undefined) return
    this.#suspects = undefined
    this.#deps.quarantine.leave(this)
  }

  #begin(execution: Execution): void {
    if (this.#wish === 'cancel') execution.cancel()
    else if (this.#wish === 'interrupt') execution.interrupt()
    else execution.start()
  }

  /** `steps` are those that had succeeded before: forgotten, a retry would do them again. */
  async #beginAfterHooks(
    execution: Execution,
    around: RunInContext,
    steps: readonly StepRecord[]
  ): Promise<void> {
    const startedAt = this.#deps.clock.now()
    try {
      for (const hook of around.context.onRunStart) await hook(runView(around, []))
    } catch (error) {
      const message = `A hook of the flow's context (onRunStart) failed: ${messageOf(error)}`
      const failure = { node: null, code: 'hook_failed', message }
      return this.#conclude({ kind: 'ended', status: 'failed', error: failure, startedAt, steps })
    }
    this.#begin(execution)
  }

  /** The flow cannot be run any more as it was saved. */
  cannotPlan(error: unknown): void {
    const node = error instanceof PlanError ? error.node : null
    const what = node === null ? 'The flow cannot be prepared' : `Node "${node}" cannot be prepared`
    const code = error instanceof PlanError ? error.code : 'plan_failed'
    const failure = { node, code, message: `${what}: ${messageOf(error)}` }
    const startedAt = this.#deps.clock.now()
    this.#conclude({ kind: 'ended', status: 'failed', error: failure, startedAt, steps: [] })
  }

  cancel(): void {
    this.#wish = 'cancel'
    this.#execution?.cancel()
  }

  interrupt(): void {
    this.#wish ??= 'interrupt'
    this.#execution?.interrupt()
  }

  #effects(around: RunInContext): Effects {
    const { clock } = this.#deps
    const { aroundStep } = around.context
    return {
      wallClock: clock.now,
      stopwatch: clock.stopwatch,
      random: clock.random,
      startTimer: clock.startTimer,
      invoke: (call) => {
        const { component } = call.node
        const step = stepArguments(call, around)
        return aroundStep === undefined
          ? component.run(step)
          : aroundStep((inner) => component.run(inner), step)
      },
      checkpoint: (entry) => this.#checkpoint(entry)
    }
  }

  /** False when the run has ended elsewhere, or the service stops before the store takes the entry. */
  async #checkpoint(entry: JournalEntry): Promise<boolean> {
    if (this.#isConcluded) return false
    try {
      const text = encodeEntry(entry, this.#start)
      const { persist, store } = this.#deps
      const isOurs = this.#tellJournal(await persist(() => store.checkpoint(this.#run, text)), text)
      this.#clearSuspicion(entry.settled ?? [])
      return isOurs
    } catch (error) {
      if (!(error instanceof MillraceError)) this.#conclude(notStorable(error, entry.startedAt))
      return false
    }
  }

  #conclude(ending: Ending): void {
    if (this.#isConcluded) return
    this.#isConcluded = true
    switch (ending.kind) {
      case 'ended':
        this.#end(this.#outcomeOf(ending))
        this.#letGo()
        return
      case 'parked':
        this.#park(encodeEntry(ending.entry, this.#start), ending.dueAt)
        return
      case 'interrupted':
      case 'lost':
        this.#handBack(ending.kind)
    }
  }

  /**
   * What the steps were made of is garbage now, and the end is not durable until its batch is: kept for so long, the
   * collector would copy all of it. That was 13 of 57 µs per run.
   */
  #letGo(): void {
    this.#start = NOTHING_GIVEN
    this.#execution = undefined
    if (this.#around?.context.onRunEnd.length === 0) this.#around = undefined
  }

  #park(entry: string, dueAt: number): void {
    const { persist, store } = this.#deps
    persist(() => store.park(this.#run, entry, dueAt)).then(
      (no) => this.#handBack(this.#tellJournal(no, entry) ? 'parked' : 'lost'),
      () => this.#handBack('interrupted')
    )
  }

  #end(outcome: Outcome): void {
    const { persist, store } = this.#deps
    persist(() => store.end(this.#run, outcome)).then(
      (no) => this.#ended(no, outcome),
      () => this.#handBack('interrupted')
    )
  }

  /** A component may spoil an output after it has returned it; the run then fails, and only the run. */
  #outcomeOf(ending: Ended): Outcome {
    try {
      return this.#encode(ending)
    } catch (error) {
      return this.#encode(notStorable(error, ending.startedAt))
    }
  }

  #encode(ending: Ended): Outcome {
    const messages: NewMessage[] = []
    const nodesWithOutput: string[] = []
    for (const step of ending.steps) {
      if (step.messages !== undefined) messages.push(...step.messages)
      if (step.outputs !== null) nodesWithOutput.push(step.node)
    }
    return {
      status: ending.status,
      startedAt: ending.startedAt,
      finishedAt: this.#deps.clock.now(),
      error: ending.error === null ? null : JSON.stringify(ending.error),
      steps: encodeSteps(ending.steps, this.#start),
      messages,
      nodesWithOutput
    }
  }

  #handBack(how: Performed): void {
    this.#leaveQuarantine()
    this.#done(how)
  }

  #ended(no: number | null, outcome: Outcome): void {
    if (no === null) return this.#handBack('lost')
    this.#tellEnded(no, outcome)
    this.#deps.onEnded(this.#run, outcome.status)
    if (this.#around !== undefined) void tellRunEnd(this.#around, outcome, this.#deps.onError)
    this.#handBack('ended')
  }

  #tellEnded(no: number, { status, startedAt, finishedAt, error, steps }: Outcome): void {
    const { publisher } = this.#deps
    const { id: runId, flowId } = this.#run
    if (!publisher.hasListeners(flowId)) return
    const outcome: StoredOutcome = { no, status, startedAt, finishedAt, error, steps }
    publisher.publish({ kind: 'ended', no, flowId, runId, outcome })
  }

  #tellJournal(no: number | null, entry: string): boolean {
    if (no === null) return false
    const { id: runId, flowId } = this.#run
    this.#deps.publisher.publish({ kind: 'journal', no, flowId, runId, entry })
    return true
  }
}
