import { recall } from '../../engine/journal.ts'
import type { Plan } from '../../engine/plan.ts'
import type { GivenOutputs } from '../../engine/progress.ts'
import type { Outputs } from '../../engine/step-record.ts'
import { isLongValue } from '../../flows/json/long-value.ts'
import type { RunStore, RunToPerform } from '../../store/store.ts'
import { decodeEntry } from '../record/journal-codec.ts'
import { type RunStart, runStartOf } from '../record/run-start.ts'
import { loadLong, type ReadPiece } from '../steps/long-values.ts'
import { ITEM_TRIGGER } from './given-back.ts'
import type { RegionRef } from './step-children.ts'

export interface ChildStartsDeps {
  readonly store: Pick<RunStore, 'get' | 'isOrphaned' | 'readPiece'>
  readonly planOf: (run: RunToPerform) => Plan | Promise<Plan>
}

/** What a child begins with; `orphaned`: nobody waits for it any more. */
export type ChildStart =
  | { readonly plan: Plan; readonly given?: (start: RunStart) => GivenOutputs }
  | 'orphaned'

const NOTHING: GivenOutputs = new Map()

/** Items of so many regions at a time find what is outside in memory. */
const KEPT = 16

/**
 * What children begin with. All items of a region take the same from outside, which is read from the journal of their parent:
 * to keep it with each item would be to keep it thousands of times.
 */
export class ChildStarts {
  readonly #deps: ChildStartsDeps
  /** What nodes outside put out that lead to the inside, by region of a run. */
  readonly #outside = new Map<string, Promise<GivenOutputs>>()

  constructor(deps: ChildStartsDeps) {
    this.#deps = deps
  }

  async of(run: RunToPerform): Promise<ChildStart> {
    const { store, planOf } = this.#deps
    if (await store.isOrphaned(run.seq)) return 'orphaned'
    const plan = await planOf(run)
    if (run.trigger !== ITEM_TRIGGER) return { plan }
    const { node, index } = run.parent!
    const outputs = await this.outsideOf(run.parent!, plan)
    return { plan, given: ({ input }) => new Map(outputs).set(node, { item: input, index }) }
  }

  /** What nodes outside put out that lead to the inside. */
  outsideOf(parent: RegionRef, region: Plan): GivenOutputs | Promise<GivenOutputs> {
    const outside = region.nodes
      .filter(({ id, isGiven }) => isGiven === true && id !== parent.node)
      .map(({ id }) => id)
    return outside.length === 0 ? NOTHING : this.#outsideOf(parent, outside)
  }

  #outsideOf(parent: RegionRef, nodes: readonly string[]): Promise<GivenOutputs> {
    const key = `${parent.seq}/${parent.node}`
    const known = this.#outside.get(key)
    if (known !== undefined) return known
    const outputs = this.#load(parent, nodes)
    this.#outside.set(key, outputs)
    const [oldest] = this.#outside.keys()
    if (this.#outside.size > KEPT) this.#outside.delete(oldest!)
    // What could not be read is read again by the next one.
    outputs.catch(() => this.#outside.delete(key))
    return outputs
  }

  async #load({ runId }: RegionRef, nodes: readonly string[]): Promise<GivenOutputs> {
    const { store } = this.#deps
    const parent = await store.get(runId)
    if (parent === undefined)
      throw new Error(`the run ${runId}, which this one belongs to, is not in the store`)
    const start = runStartOf(parent)
    const { settled } = recall(parent.journal.map((entry) => decodeEntry(entry, start)))
    const outputs = new Map<string, Outputs>()
    for (const id of nodes) {
      const given = settled.get(id)?.outputs
      if (given != null) outputs.set(id, await inMemory(given, store.readPiece))
    }
    return outputs
  }
}

async function inMemory(outputs: Outputs, readPiece: ReadPiece): Promise<Outputs> {
  const loaded: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(outputs))
    loaded[name] = isLongValue(value) ? await loadLong(value, readPiece) : value
  return loaded
}
