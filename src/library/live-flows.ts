import type { LiveFlow } from './live-flow.ts'

/** What became of a flow, told as soon as it is durable. */
export interface FlowChange {
  readonly kind: 'saved' | 'deleted'
  /** As it is now; where it was deleted, as it was last. */
  readonly flow: LiveFlow
  /** As it was before it was saved; undefined where there was none. */
  readonly before: LiveFlow | undefined
}

/** The flows that are live, by id and by slug or alias, and whoever is told of what becomes of them. */
export class LiveFlows {
  readonly #byId = new Map<string, LiveFlow>()
  readonly #bySlug = new Map<string, LiveFlow>()
  /** All ids, in order. */
  readonly #ids: string[] = []
  readonly #listeners = new Set<(change: FlowChange) => void>()

  get(id: string): LiveFlow | undefined {
    return this.#byId.get(id)
  }

  /** Also by one of its aliases. */
  withSlug(slug: string): LiveFlow | undefined {
    return this.#bySlug.get(slug)
  }

  list(): LiveFlow[] {
    return [...this.#byId.values()]
  }

  *after(id: string): Generator<LiveFlow> {
    for (let at = this.#placeAfter(id); at < this.#ids.length; at++) yield this.#byId.get(this.#ids[at]!)!
  }

  /** Nobody is told: what is loaded at the start was there before. */
  load(flow: LiveFlow): void {
    if (!this.#byId.has(flow.id)) this.#ids.splice(this.#placeAfter(flow.id), 0, flow.id)
    this.#byId.set(flow.id, flow)
    for (const slug of [flow.slug, ...flow.aliases]) this.#bySlug.set(slug, flow)
  }

  /** In the place of what the flow was before. */
  put(flow: LiveFlow): void {
    const before = this.#byId.get(flow.id)
    if (before !== undefined) this.#forget(before)
    this.load(flow)
    this.#tell({ kind: 'saved', flow, before })
  }

  remove(id: string): void {
    const last = this.#byId.get(id)
    if (last === undefined) return
    this.#forget(last)
    this.#tell({ kind: 'deleted', flow: last, before: last })
  }

  /** Returns what ends the subscription. */
  subscribe(listener: (change: FlowChange) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #forget(flow: LiveFlow): void {
    this.#byId.delete(flow.id)
    this.#ids.splice(this.#placeAfter(flow.id) - 1, 1)
    // Another flow may have taken a slug that this one gave up.
    for (const slug of [flow.slug, ...flow.aliases]) {
      if (this.#bySlug.get(slug) === flow) this.#bySlug.delete(slug)
    }
  }

  /** Where the first id stands that is greater. */
  #placeAfter(id: string): number {
    let [low, high] = [0, this.#ids.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#ids[middle]! <= id) low = middle + 1
      else high = middle
    }
    return low
  }

  #tell(change: FlowChange): void {
    for (const listener of this.#listeners) listener(change)
  }
}
