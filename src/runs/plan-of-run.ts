import { type Plan, PlanError } from '../engine/plan.ts'
import type { FlowLibrary } from '../library/flow-library.ts'
import type { RunStore, RunToPerform } from '../store/store.ts'
import { FLOW_TRIGGER, ITEM_TRIGGER } from './children/given-back.ts'
import { testPlan } from './test-plan.ts'

/** A test may have thousands of items: its document is not compiled for each. */
const KEPT = 16

/** What runs run: a version of their flow, or of a test its draft as it was; of an item, the region that it belongs to. */
export class PlansOfRuns {
  readonly #store: Pick<RunStore, 'testDocument' | 'testScope'>
  readonly #library: FlowLibrary
  readonly #tests = new Map<number, Promise<Plan>>()

  constructor(store: Pick<RunStore, 'testDocument' | 'testScope'>, library: FlowLibrary) {
    this.#store = store
    this.#library = library
  }

  of(run: RunToPerform): Plan | Promise<Plan> {
    const plan = this.#whole(run)
    if (run.trigger !== ITEM_TRIGGER || run.parent === undefined) return plan
    const { node } = run.parent
    return plan instanceof Promise ? plan.then((made) => regionOf(made, node)) : regionOf(plan, node)
  }

  #whole(run: RunToPerform): Plan | Promise<Plan> {
    // What a test runs of other flows is live.
    if (run.isTest !== true || run.trigger === FLOW_TRIGGER)
      return this.#library.plan(run.flowId, run.flowVersion)
    return run.parent === undefined
      ? testPlan(run, this.#store, this.#library)
      : this.#testOf({ ...run, seq: run.parent.seq, id: run.parent.runId })
  }

  #testOf(test: RunToPerform): Promise<Plan> {
    const known = this.#tests.get(test.seq)
    if (known !== undefined) return known
    const plan = testPlan(test, this.#store, this.#library)
    this.#tests.set(test.seq, plan)
    const [oldest] = this.#tests.keys()
    if (this.#tests.size > KEPT) this.#tests.delete(oldest!)
    plan.catch(() => this.#tests.delete(test.seq))
    return plan
  }
}

function regionOf(plan: Plan, node: string): Plan {
  const region = plan.regions.get(node)
  if (region === undefined) throw new PlanError(node, 'region_gone', 'Nothing stands inside it any more.')
  return region
}
