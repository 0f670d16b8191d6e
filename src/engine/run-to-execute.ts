import type { RunTrigger } from '../flows/component/component.ts'
import type { Plan } from './plan.ts'
import type { GivenOutputs } from './progress.ts'

/** A run as the engine is given it. */
export interface RunToExecute {
  readonly plan: Plan
  /** What came with the request: it is stored with the run, so an output that is one of these need not be looked at. */
  readonly storedValues: readonly unknown[]
  readonly trigger: RunTrigger
  /** What nodes put out that the run itself does not run. */
  readonly given?: GivenOutputs | undefined
  /** The process may die of one of its steps: pure ones, too, are written down before they begin. */
  readonly isSuspect: boolean
}
