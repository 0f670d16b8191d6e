import type { Plan } from '../../engine/plan.ts'
import { StepError } from '../../engine/step-error.ts'
import type { ChildRuns, Round } from '../../flows/step/step-children.ts'
import type { ExecutedChild, NewChild } from '../../store/children.ts'
import { runStartOf } from '../record/run-start.ts'
import { decodeSteps } from '../record/step-codec.ts'
import { childResult } from './child-values.ts'
import type { ChildrenDeps, StepOfRun } from './children-deps.ts'
import type { EarlierChildren } from './earlier-children.ts'
import { isExecutedInPlace } from './item-executor.ts'
import type { ItemsInPlace } from './items-in-place.ts'
import { depthBelow } from './new-child.ts'
import { itemResult } from './run-result.ts'

interface RoundsDeps {
  readonly step: StepOfRun
  readonly region: Plan | undefined
  readonly deps: Pick<ChildrenDeps, 'store' | 'persist'>
  readonly earlier: EarlierChildren
  readonly inPlace: (region: Plan) => Promise<ItemsInPlace>
  readonly newRound: (data: unknown, index: number) => NewChild
  readonly start: (round: NewChild) => Promise<void>
}

/** One after the other; whether there is another one is for the component to say. */
const RULES = { atOnce: 1, stopsOnFailure: false }

/** The rounds of a step: children as items are, but what each begins with is known when the one before has ended. */
export class StepRounds {
  readonly #deps: RoundsDeps

  constructor(deps: RoundsDeps) {
    this.#deps = deps
  }

  async run(first: unknown, next: Parameters<ChildRuns['runRounds']>[1]): Promise<void> {
    const { step, earlier, inPlace } = this.#deps
    const { run, call, around } = step
    const region = this.#region
    depthBelow(run)
    // Once a process has died in it, or a round has failed, each is written down before it begins.
    if (call.attempt > 1) await earlier.goOn(RULES)
    else if (isExecutedInPlace(region, around.scope)) {
      const rounds = await inPlace(region)
      await rounds.execute((_index, before) => {
        if (before === undefined) return { input: first }
        const asked = before.outcome.status === 'succeeded' ? next(this.#executed(before)) : undefined
        return asked && { input: asked.data }
      })
    }
  }

  async last(): Promise<Round | undefined> {
    const { step, deps } = this.#deps
    const { store, persist } = deps
    const { id: node } = step.call.node
    const child = await persist(() => store.lastChild(step.run.seq, node))
    if (child === undefined) return undefined
    const { index } = child
    const open = {
      index,
      status: 'open',
      given: undefined,
      output: undefined,
      error: null,
      endedAt: 0
    } as const
    if (child.outcome === null) return open
    const stored = await persist(() => store.get(child.id))
    if (stored === undefined) throw new Error(`the run ${child.id} of a round is not in the store`)
    const { input } = runStartOf(stored)
    const readPiece = (...place: Parameters<typeof store.readPiece>) =>
      persist(() => store.readPiece(...place))
    const result = await childResult({ child, node, input, isItem: true, readPiece })
    return result === undefined ? open : { ...result, given: input }
  }

  async start(index: number, data: unknown): Promise<void> {
    const { newRound, start } = this.#deps
    await start(newRound(data, index))
  }

  #executed({ child, outcome }: ExecutedChild): Round {
    const start = runStartOf(child)
    const output = itemResult(decodeSteps(outcome.steps, start), this.#deps.step.call.node.id)
    const { index } = child.parent
    return {
      index,
      status: 'succeeded',
      given: start.input,
      output,
      error: null,
      endedAt: outcome.finishedAt
    }
  }

  get #region(): Plan {
    const { region } = this.#deps
    if (region !== undefined) return region
    throw new StepError(
      'Nothing stands inside it, so there is nothing to repeat. Move nodes into its frame.',
      {
        code: 'nothing_to_repeat',
        retryable: false
      }
    )
  }
}

export { RULES as ROUND_RULES }
