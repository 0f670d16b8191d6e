import type { RunToPerform } from '../../store/store.ts'
import type { Performance, PerformanceListener, PerformerDeps } from './performance.ts'
import { RunPerformance } from './run-performance.ts'
import type { Waiting } from './run-window.ts'

/** Performs runs: finds the plan, drives the engine, writes down what came of it and tells whoever listens. */
export class Performer {
  readonly #deps: PerformerDeps

  constructor(deps: PerformerDeps) {
    this.#deps = deps
  }

  perform(waiting: Waiting, isSuspect: boolean, listener: PerformanceListener): Performance {
    const performance = new RunPerformance(waiting, this.#deps, listener)
    this.#start(performance, waiting, isSuspect)
    return performance
  }

  /** Ends a run as cancelled that has not begun: of its steps and hooks only `onRunEnd` is called. */
  cancelUnbegun(waiting: Waiting, listener: PerformanceListener): Performance {
    const performance = new RunPerformance(waiting, this.#deps, listener)
    performance.cancel()
    this.#start(performance, waiting, false)
    return performance
  }

  /** What the store cannot tell now it tells later: a database that restarts must fail no run. */
  #start(performance: RunPerformance, { run }: Waiting, isSuspect: boolean): void {
    if (run.parent !== undefined) return this.#startChild(performance, run, isSuspect)
    const { planOf, persist } = this.#deps
    try {
      const plan = planOf(run)
      if (plan instanceof Promise) {
        plan
          .catch(() => persist(async () => planOf(run)))
          .then((made) => performance.start(made, isSuspect))
          .catch((error) => performance.cannotStart(error))
      } else performance.start(plan, isSuspect)
    } catch (error) {
      performance.cannotStart(error)
    }
  }

  #startChild(performance: RunPerformance, run: RunToPerform, isSuspect: boolean): void {
    const { childStarts, persist } = this.#deps
    persist(() => childStarts.of(run)).then(
      (start) => {
        if (start === 'orphaned') performance.cancelUnbegun()
        else performance.start(start.plan, isSuspect, start.given)
      },
      (error) => performance.cannotStart(error)
    )
  }
}
