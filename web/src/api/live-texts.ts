import type { LiveEvent } from './live-event.ts'

/** A piece of text that a step puts out while it works; see the event `message.delta`. */
export interface TextDelta {
  readonly run_id: string
  readonly node: string
  /** Where the piece begins; 0 begins anew. */
  readonly at: number
  readonly text: string
}

/** What the steps of a run have said so far, by node. */
export type RunTexts = ReadonlyMap<string, string>

const NONE: RunTexts = new Map()

/** A piece may come late, after the end of its run was told: enough to know the runs that ended lately. */
const MOST_ENDED = 500

/** Text that is on its way: it is shown until the run holds it, and forgotten then. */
export class LiveTexts {
  readonly #runs = new Map<string, RunTexts>()
  readonly #ended = new Set<string>()
  readonly #watchers = new Set<() => void>()

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** The same object until something changes. */
  of(runId: string): RunTexts {
    return this.#runs.get(runId) ?? NONE
  }

  append(deltas: readonly TextDelta[]): void {
    for (const { run_id, node, at, text } of deltas) {
      if (this.#ended.has(run_id)) continue
      const before = at === 0 ? '' : (this.of(run_id).get(node) ?? '…')
      this.#runs.set(run_id, new Map(this.of(run_id)).set(node, before + text))
    }
    this.#tell()
  }

  /** What a failed attempt has said is void; what a run has said that is over can be read there. */
  follow(events: readonly LiveEvent[]): void {
    for (const { name, data } of events) {
      const runId = String(data.run_id)
      if (name === 'run.queued') this.#ended.delete(runId)
      if (name === 'run.ended') this.#end(runId)
      if (name === 'step.waiting') this.#forget(runId, String(data.node))
    }
    if (events.length > 0) this.#tell()
  }

  #end(runId: string): void {
    this.#runs.delete(runId)
    this.#ended.add(runId)
    if (this.#ended.size > MOST_ENDED) this.#ended.delete(this.#ended.values().next().value!)
  }

  #forget(runId: string, node: string): void {
    if (!this.of(runId).has(node)) return
    const left = new Map(this.of(runId))
    left.delete(node)
    this.#runs.set(runId, left)
  }

  #tell(): void {
    for (const watcher of [...this.#watchers]) watcher()
  }
}
