import type { Clock } from '../../clock.ts'
import { recall } from '../../engine/journal.ts'
import type { Plan } from '../../engine/plan.ts'
import { CALLER } from '../../engine/plan-tool.ts'
import type { GivenOutputs } from '../../engine/progress.ts'
import type { Outputs } from '../../engine/step-record.ts'
import { isLongValue } from '../../flows/json/long-value.ts'
import type { ParentRef, RunStore, StoredRun } from '../../store/store.ts'
import { decodeEntry } from '../record/journal-codec.ts'
import { runStartOf } from '../record/run-start.ts'
import { loadLong } from '../steps/long-values.ts'
import { givenInside, giverIn, isInside } from './run-result.ts'

/** A region of a run. */
type RegionRef = Pick<ParentRef, 'seq' | 'runId' | 'node'>

export interface OutsideValuesDeps {
  readonly store: Pick<RunStore, 'get' | 'readPiece'>
  readonly clock: Pick<Clock, 'stopwatch'>
}

interface Kept {
  readonly seq: number
  readonly node: string
  readonly outputs: Promise<GivenOutputs>
  /** About what they take in memory, once they are there. */
  bytes: number
  usedAt: number
}

interface Loaded {
  readonly outputs: GivenOutputs
  readonly bytes: number
}

const NOTHING: GivenOutputs = new Map()

/** Of so many regions, and of so many bytes together, but of the one that was asked for last in any case. */
const MOST_REGIONS = 16
const MOST_BYTES = 32 * 1024 * 1024
/** The end of a region may be seen by another process. */
const UNUSED_MS = 60_000

/**
 * What nodes outside a region put out that lead to its inside. All items of a region take the same, which is read from the journal of their
 * parent: to keep it with each item would be to keep it thousands of times. It stays in memory until the region is over.
 */
export class OutsideValues {
  readonly #deps: OutsideValuesDeps
  /** By region; the one that was used last comes last. */
  readonly #kept = new Map<string, Kept>()

  constructor(deps: OutsideValuesDeps) {
    this.#deps = deps
  }

  of(parent: RegionRef, region: Plan): GivenOutputs | Promise<GivenOutputs> {
    const outside = region.nodes
      .filter(({ id, isGiven }) => isGiven === true && id !== parent.node && id !== CALLER)
      .map(({ id }) => id)
    return outside.length === 0 ? NOTHING : this.#read(parent, outside)
  }

  /** The region is over, or, without one, the run. */
  forget(seq: number, node?: string): void {
    for (const [key, kept] of this.#kept)
      if (kept.seq === seq && (node === undefined || kept.node === node)) this.#kept.delete(key)
  }

  #read(parent: RegionRef, nodes: readonly string[]): Promise<GivenOutputs> {
    // The calls of an agent are of several tools.
    const key = [parent.seq, parent.node, ...nodes].join('/')
    const kept = this.#kept.get(key) ?? this.#load(key, parent, nodes)
    kept.usedAt = this.#deps.clock.stopwatch()
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    this.#dropSome()
    return kept.outputs
  }

  #load(key: string, parent: RegionRef, nodes: readonly string[]): Kept {
    const loading = this.#loaded(parent, nodes)
    const outputs = loading.then((loaded) => loaded.outputs)
    const kept: Kept = { seq: parent.seq, node: parent.node, outputs, bytes: 0, usedAt: 0 }
    loading.then(
      ({ bytes }) => {
        kept.bytes = bytes
        this.#dropSome()
      },
      // What could not be read is read again by the next one.
      () => this.#kept.get(key) === kept && this.#kept.delete(key)
    )
    return kept
  }

  #dropSome(): void {
    const unusedSince = this.#deps.clock.stopwatch() - UNUSED_MS
    let bytes = this.#kept.values().reduce((sum, kept) => sum + kept.bytes, 0)
    for (const [key, kept] of this.#kept) {
      const isTooMuch = this.#kept.size > MOST_REGIONS || bytes > MOST_BYTES
      if (this.#kept.size === 1 || !(isTooMuch || kept.usedAt < unusedSince)) return
      this.#kept.delete(key)
      bytes -= kept.bytes
    }
  }

  async #loaded({ runId }: Pick<RegionRef, 'runId'>, nodes: readonly string[]): Promise<Loaded> {
    const { store } = this.#deps
    const parent = await store.get(runId)
    if (parent === undefined)
      throw new Error(`the run ${runId}, which this one belongs to, is not in the store`)
    const start = runStartOf(parent)
    const { settled } = recall(parent.journal.map((entry) => decodeEntry(entry, start)))
    const above = await this.#above(
      parent,
      nodes.filter((id) => !settled.has(id))
    )
    const outputs = new Map<string, Outputs>(above.outputs)
    let bytes =
      above.bytes + parent.input.byteLength + parent.journal.reduce((sum, entry) => sum + entry.length, 0)
    for (const id of nodes) {
      const given = settled.get(id)?.outputs
      if (given == null) continue
      for (const value of Object.values(given)) if (isLongValue(value)) bytes += value.bytes
      outputs.set(id, await inMemory(given, store.readPiece))
    }
    return { outputs, bytes }
  }

  /** What an agent calls in the run of an item, or of a call, may take what that run was given itself. */
  async #above(run: StoredRun, nodes: readonly string[]): Promise<Loaded> {
    const { parent, trigger, input } = run
    if (nodes.length === 0 || parent === undefined || !isInside(run)) return { outputs: NOTHING, bytes: 0 }
    const giver = giverIn(run, parent.node)
    const { outputs, bytes } = await this.#loaded(
      parent,
      nodes.filter((id) => id !== giver)
    )
    if (!nodes.includes(giver)) return { outputs, bytes }
    const given = givenInside(trigger, runStartOf({ input, request: null }).input, parent.index)
    return { outputs: new Map(outputs).set(giver, given), bytes }
  }
}

async function inMemory(outputs: Outputs, readPiece: RunStore['readPiece']): Promise<Outputs> {
  const loaded: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(outputs))
    loaded[name] = isLongValue(value) ? await loadLong(value, readPiece) : value
  return loaded
}
