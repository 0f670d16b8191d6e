/**
 * What waits, one after the other by whom it belongs to: somebody who asks for a thousand things holds up another one's
 * first by one of them, and not by a thousand.
 */
export class TurnQueue<Item> {
  /** By owner, in the order in which they have their turn. Those without anything are not in it. */
  readonly #lists = new Map<string, Item[]>()

  get isEmpty(): boolean {
    return this.#lists.size === 0
  }

  add(owner: string, item: Item): void {
    const list = this.#lists.get(owner)
    if (list === undefined) this.#lists.set(owner, [item])
    else list.push(item)
  }

  /** The next one. Its owner comes last from now on. */
  take(): Item | undefined {
    for (const [owner, list] of this.#lists) {
      this.#lists.delete(owner)
      const item = list.shift()
      if (list.length > 0) this.#lists.set(owner, list)
      return item
    }
    return undefined
  }

  /** Whether it was there. */
  remove(owner: string, item: Item): boolean {
    const list = this.#lists.get(owner)
    const at = list?.indexOf(item) ?? -1
    if (at < 0) return false
    if (list!.length === 1) this.#lists.delete(owner)
    else list!.splice(at, 1)
    return true
  }

  clear(): void {
    this.#lists.clear()
  }
}
