import type { StepCall } from '../../engine/effects.ts'
import type { Plan } from '../../engine/plan.ts'
import type { ChildResult, ChildRuns, ItemRules, StartedItems } from '../../flows/step/step-children.ts'
import { itemResult } from '../children/run-result.ts'
import type { RehearsedRun } from './finding.ts'
import { Unknowable } from './rehearsed-effects.ts'

/** So many items of one For each are rehearsed. */
const MOST_ITEMS = 1_000

interface ItemsDeps {
  readonly call: StepCall
  readonly region: Plan | undefined
  readonly rehearse: (region: Plan, item: unknown, index: number) => Promise<RehearsedRun>
  readonly now: () => number
}

/** The items of a For each that is rehearsed: one after the other, and no runs of their own. */
export class RehearsedItems implements ChildRuns {
  readonly #deps: ItemsDeps
  readonly #results: ChildResult[] = []

  constructor(deps: ItemsDeps) {
    this.#deps = deps
  }

  async startItems(items: readonly unknown[], { stopsOnFailure }: ItemRules): Promise<StartedItems> {
    const { call, region, rehearse, now } = this.#deps
    if (region === undefined) return 'none'
    if (items.length > MOST_ITEMS) throw new Unknowable()
    for (const [index, item] of items.entries()) {
      const { status, error, steps } = await rehearse(region, item, index)
      const output = status === 'succeeded' ? itemResult(steps, call.node.id) : undefined
      this.#results.push({ index, runId: '', status, output, error, endedAt: now() })
      if (status === 'failed' && stopsOnFailure) break
    }
    return 'ended'
  }

  async *results(): AsyncGenerator<ChildResult> {
    yield* this.#results
  }

  async drop(): Promise<void> {}

  // What else starts runs, or goes on by the time, is not known before it is done.
  startFlow = unknowable
  runRounds = unknowable
  lastRound = unknowable
  startRound = unknowable

  aboutFlow(): never {
    throw new Unknowable()
  }

  get calls(): never {
    throw new Unknowable()
  }

  wait(): never {
    throw new Unknowable()
  }
}

async function unknowable(): Promise<never> {
  throw new Unknowable()
}
