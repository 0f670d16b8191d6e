import type { ExecutableRun } from '../../store/store.ts'
import type { ExecutingRun, ExecutionListener, ExecutorDeps } from './executing-run.ts'
import { RunExecution } from './run-execution.ts'
import type { RunInMemory } from './run-window.ts'

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
          .then((made) => execution.start(made, isSuspect))
          .catch((error) => execution.cannotStart(error))
      } else execution.start(plan, isSuspect)
    } catch (error) {
      execution.cannotStart(error)
    }
  }

  #startChild(execution: RunExecution, run: ExecutableRun, isSuspect: boolean): void {
    const { childStarts, persist } = this.#deps
    persist(() => childStarts.of(run)).then(
      (start) => {
        if (start === 'orphaned') execution.cancelUnbegun()
        else execution.start(start.plan, isSuspect, start.given)
      },
      (error) => execution.cannotStart(error)
    )
  }
}
