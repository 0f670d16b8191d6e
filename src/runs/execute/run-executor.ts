import { LazyAbort } from '../../engine/lazy-abort.ts'
import type { Plan } from '../../engine/plan.ts'
import type { GivenOutputs } from '../../engine/progress.ts'
import { inTurns } from '../../flows/in-turns.ts'
import type { ExecutableRun } from '../../store/store.ts'
import { hasShortInput, type RunStart, runStartInTurns, runStartOf } from '../record/run-start.ts'
import type { ExecutingRun, ExecutionListener, ExecutorDeps } from './executing-run.ts'
import { RunExecution } from './run-execution.ts'
import type { RunInMemory } from './run-window.ts'

interface Beginning {
  readonly plan: Plan
  readonly isSuspect: boolean
  readonly given?: (start: RunStart) => GivenOutputs
}

/** Executes runs: finds the plan, drives the engine, writes down what came of it and tells whoever listens. */
export class RunExecutor {
  readonly #deps: ExecutorDeps

  constructor(deps: ExecutorDeps) {
    this.#deps = deps
  }

  execute(queued: RunInMemory, isSuspect: boolean, listener: ExecutionListener): ExecutingRun {
    const execution = new RunExecution(queued, this.#deps, listener)
    this.#start(execution, queued, isSuspect)
    return execution
  }

  /** Ends a run as cancelled that has not begun: of its steps and hooks only `onRunEnd` is called. */
  cancelUnbegun(queued: RunInMemory, listener: ExecutionListener): ExecutingRun {
    const execution = new RunExecution(queued, this.#deps, listener)
    execution.cancel()
    this.#start(execution, queued, false)
    return execution
  }

  /** What the store cannot tell now it tells later: a database that restarts must fail no run. */
  #start(execution: RunExecution, { run }: RunInMemory, isSuspect: boolean): void {
    if (run.parent !== undefined) return this.#startChild(execution, run, isSuspect)
    const { planOf, persist } = this.#deps
    try {
      const plan = planOf(run)
      if (plan instanceof Promise) {
        plan
          .catch(() => persist(async () => planOf(run)))
          .then((made) => this.#begin(execution, run, { plan: made, isSuspect }))
          .catch((error) => execution.cannotStart(error))
      } else this.#begin(execution, run, { plan, isSuspect })
    } catch (error) {
      execution.cannotStart(error)
    }
  }

  /** What was sent with the run, of any length, is read in turns with whatever else the thread does. */
  #begin(execution: RunExecution, run: ExecutableRun, { plan, isSuspect, given }: Beginning): void {
    const read = hasShortInput(run) ? runStartOf(run) : this.#readInTurns(run)
    if (!(read instanceof Promise)) return execution.start(read, plan, isSuspect, given)
    read
      .then((start) => execution.start(start, plan, isSuspect, given))
      .catch((error) => execution.cannotStart(error))
  }

  #readInTurns(run: ExecutableRun): RunStart | Promise<RunStart> {
    return inTurns(runStartInTurns(run), this.#deps.pacing.begin(new LazyAbort()))
  }

  #startChild(execution: RunExecution, run: ExecutableRun, isSuspect: boolean): void {
    const { childStarts, persist } = this.#deps
    persist(() => childStarts.of(run)).then(
      (start) => {
        if (start === 'orphaned') execution.cancelUnbegun()
        else this.#begin(execution, run, { ...start, isSuspect })
      },
      (error) => execution.cannotStart(error)
    )
  }
}
