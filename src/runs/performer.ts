import type { Clock } from '../clock.ts'
import type { Effects, Ending, StepCall } from '../engine/effects.ts'
import { Execution } from '../engine/execution.ts'
import { recall } from '../engine/journal.ts'
import { type Plan, PlanError } from '../engine/plan.ts'
import { messageOf } from '../errors.ts'
import type { RunTrigger, Step } from '../flows/component.ts'
import type { AcceptedRun, EndStatus, Outcome, RunStore, StoredOutcome } from '../store/store.ts'
import { decodeEntry, encodeEntry } from './journal-codec.ts'
import type { Publisher } from './publisher.ts'
import { givensOf, type RunGivens } from './run-givens.ts'
import { stepArguments } from './step-arguments.ts'
import { encodeSteps } from './step-codec.ts'

export interface PerformerDeps {
  readonly store: RunStore
  readonly clock: Clock
  readonly publisher: Publisher
  readonly planOf: (flowId: string, version: number) => Plan | Promise<Plan>
  /** Runs one step: the hooks of the flow's context around the component itself. */
  readonly invoke: (plan: Plan, step: Step, call: StepCall) => unknown
  readonly decorationsOf: (plan: Plan) => Readonly<Record<string, unknown>>
  /** Tries a write until it is durable, however long the store refuses it; rejects only when the service stops. */
  readonly persist: <T>(write: () => Promise<T>) => Promise<T>
  readonly onEnded: (run: AcceptedRun, status: EndStatus) => void
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
  perform(run: AcceptedRun, journal: readonly string[], done: (how: Performed) => void): Performance {
    const performance = new RunPerformance(run, this.#deps, done)
    try {
      const plan = this.#deps.planOf(run.flowId, run.flowVersion)
      if (!(plan instanceof Promise)) {
        performance.start(plan, journal)
        return performance
      }
      plan.then(
        (made) => performance.start(made, journal),
        (error) => performance.cannotPlan(error)
      )
    } catch (error) {
      performance.cannotPlan(error)
    }
    return performance
  }
}

class RunPerformance implements Performance {
  readonly #run: AcceptedRun
  readonly #givens: RunGivens
  readonly #deps: PerformerDeps
  readonly #done: (how: Performed) => void
  #execution: Execution | undefined
  #wish: 'cancel' | 'interrupt' | undefined

  constructor(run: AcceptedRun, deps: PerformerDeps, done: (how: Performed) => void) {
    this.#run = run
    this.#givens = givensOf(run)
    this.#deps = deps
    this.#done = done
  }

  start(plan: Plan, journal: readonly string[]): void {
    const recalled = recall(journal.map((entry) => decodeEntry(entry, this.#givens)))
    const run = { plan, input: this.#givens.input, trigger: this.#run.trigger as RunTrigger }
    this.#execution = new Execution(run, recalled, this.#effects(plan), (ending) => this.#conclude(ending))
    if (this.#wish === 'cancel') this.#execution.cancel()
    else if (this.#wish === 'interrupt') this.#execution.interrupt()
    else this.#execution.start()
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

  #effects(plan: Plan): Effects {
    const { clock, invoke, decorationsOf } = this.#deps
    const around = {
      run: this.#run,
      givens: this.#givens,
      decorations: decorationsOf(plan),
      newId: clock.newId,
      now: clock.now
    }
    return {
      wallClock: clock.now,
      stopwatch: clock.stopwatch,
      random: clock.random,
      startTimer: clock.startTimer,
      invoke: (call) => invoke(plan, stepArguments(call, around), call),
      checkpoint: (entry) => this.#checkpoint(encodeEntry(entry, this.#givens))
    }
  }

  /** False when the run has ended elsewhere, or the service stops before the store takes the entry. */
  async #checkpoint(entry: string): Promise<boolean> {
    try {
      return this.#tellJournal(
        await this.#deps.persist(() => this.#deps.store.checkpoint(this.#run, entry)),
        entry
      )
    } catch {
      return false
    }
  }

  #conclude(ending: Ending): void {
    switch (ending.kind) {
      case 'ended':
        this.#end(ending)
        return
      case 'parked':
        this.#park(encodeEntry(ending.entry, this.#givens), ending.dueAt)
        return
      case 'interrupted':
      case 'lost':
        this.#done(ending.kind)
    }
  }

  #park(entry: string, dueAt: number): void {
    const { persist, store } = this.#deps
    persist(() => store.park(this.#run, entry, dueAt)).then(
      (no) => this.#done(this.#tellJournal(no, entry) ? 'parked' : 'lost'),
      () => this.#done('interrupted')
    )
  }

  #end(ending: Extract<Ending, { kind: 'ended' }>): void {
    const { persist, store } = this.#deps
    const outcome: Outcome = {
      status: ending.status,
      startedAt: ending.startedAt,
      finishedAt: this.#deps.clock.now(),
      error: ending.error === null ? null : JSON.stringify(ending.error),
      steps: encodeSteps(ending.steps, this.#givens),
      messages: ending.steps.flatMap((step) => step.messages ?? []),
      nodesWithOutput: ending.steps.filter((step) => step.outputs !== null).map((step) => step.node)
    }
    persist(() => store.end(this.#run, outcome)).then(
      (no) => this.#ended(no, outcome),
      () => this.#done('interrupted')
    )
  }

  #ended(no: number | null, outcome: Outcome): void {
    if (no === null) return this.#done('lost')
    this.#tellEnded(no, outcome)
    this.#deps.onEnded(this.#run, outcome.status)
    this.#done('ended')
  }

  #tellEnded(no: number, { status, startedAt, finishedAt, error, steps }: Outcome): void {
    const { publisher } = this.#deps
    const { id: runId, flowId } = this.#run
    if (!publisher.hasListeners(flowId)) return
    const outcome: StoredOutcome = { no, status, startedAt, finishedAt, error, steps }
    publisher.publish(flowId, { kind: 'ended', no, runId, outcome })
  }

  #tellJournal(no: number | null, entry: string): boolean {
    if (no === null) return false
    const { id: runId, flowId } = this.#run
    this.#deps.publisher.publish(flowId, { kind: 'journal', no, runId, entry })
    return true
  }
}
