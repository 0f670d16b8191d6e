import type { Plan } from '../../engine/plan.ts'
import type { GivenOutputs } from '../../engine/progress.ts'
import type { ExecutableRun, RunStore } from '../../store/store.ts'
import type { RunStart } from '../record/run-start.ts'
import { OutsideValues, type OutsideValuesDeps } from './outside-values.ts'
import { givenInside, giverIn, isInside } from './run-result.ts'

interface ChildStartsDeps extends OutsideValuesDeps {
  readonly store: OutsideValuesDeps['store'] & Pick<RunStore, 'isOrphaned'>
  readonly planOf: (run: ExecutableRun) => Plan | Promise<Plan>
}

/** What a child begins with; `orphaned`: nobody waits for it any more. */
type ChildStart = { readonly plan: Plan; readonly given?: (start: RunStart) => GivenOutputs } | 'orphaned'

/** What children begin with. */
export class ChildStarts {
  readonly #deps: ChildStartsDeps
  readonly outside: OutsideValues

  constructor(deps: ChildStartsDeps) {
    this.#deps = deps
    this.outside = new OutsideValues(deps)
  }

  async of(run: ExecutableRun): Promise<ChildStart> {
    const { store, planOf } = this.#deps
    if (await store.isOrphaned(run.seq)) return 'orphaned'
    const plan = await planOf(run)
    if (!isInside(run)) return { plan }
    const { node, index } = run.parent!
    const outputs = await this.outside.of(run.parent!, plan)
    return {
      plan,
      given: ({ input }) => new Map(outputs).set(giverIn(run, node), givenInside(run.trigger, input, index))
    }
  }
}
