/** Whom something belongs to: a flow, and the context that it lives in. */
export interface Owner {
  readonly context: string
  readonly flow: string
}

/**
 * What waits, one after the other by whom it belongs to: contexts take turns, and within each its flows. Somebody who asks for a
 * thousand things, by a thousand flows, holds up another one's first by one of them, and not by a thousand.
 */
export class TurnQueue<Item> {
  /** By context and flow, in the order in which they have their turn. Those without anything are not in it. */
  readonly #contexts = new Map<string, Map<string, Item[]>>()

  get isEmpty(): boolean {
    return this.#contexts.size === 0
  }

  add({ context, flow }: Owner, item: Item): void {
    const flows = this.#contexts.get(context) ?? new Map<string, Item[]>()
    this.#contexts.set(context, flows)
    const list = flows.get(flow)
    if (list === undefined) flows.set(flow, [item])
    else list.push(item)
  }

  /** The next one whose owner may have a turn. That owner comes last from now on. */
  take(may: (owner: Owner) => boolean = () => true): Item | undefined {
    for (const [context, flows] of this.#contexts)
      for (const [flow, list] of flows) {
        if (!may({ context, flow })) continue
        flows.delete(flow)
        this.#contexts.delete(context)
        const item = list.shift()
        if (list.length > 0) flows.set(flow, list)
        if (flows.size > 0) this.#contexts.set(context, flows)
        return item
      }
    return undefined
  }

  /** Whether there is something whose owner may have a turn. */
  has(may: (owner: Owner) => boolean): boolean {
    for (const [context, flows] of this.#contexts)
      for (const flow of flows.keys()) if (may({ context, flow })) return true
    return false
  }

  /** Whether it was there. */
  remove({ context, flow }: Owner, item: Item): boolean {
    const flows = this.#contexts.get(context)
    const list = flows?.get(flow)
    const at = list?.indexOf(item) ?? -1
    if (at < 0) return false
    if (list!.length > 1) list!.splice(at, 1)
    else {
      flows!.delete(flow)
      if (flows!.size === 0) this.#contexts.delete(context)
    }
    return true
  }

  clear(): void {
    this.#contexts.clear()
  }
}
