import type { ContextMove, ContextResult, ContextStore, StoredContext } from '../store/contexts.ts'

/** A ContextStore in memory that keeps the contract of store.ts: paths are unique, and all are put or none. */
export class MemoryContextStore implements ContextStore {
  readonly contexts = new Map<string, StoredContext>()
  /** Paths that something has moved into which the library does not know of yet. */
  readonly inhabited = new Set<string>()
  /** Set, it is what the next write is refused with. */
  refusal: Error | undefined

  async list(): Promise<StoredContext[]> {
    return [...this.contexts.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  async put(contexts: readonly StoredContext[], move: ContextMove = {}): Promise<ContextResult> {
    await this.#turn()
    const others = [...this.contexts.values()].filter((kept) => !contexts.some(({ id }) => id === kept.id))
    if (move.within !== undefined && !others.some(({ path }) => path === move.within)) return 'parent_gone'
    if (move.vacates !== undefined && this.inhabited.has(move.vacates)) return 'inhabited'
    if (contexts.some(({ path }) => others.some((other) => other.path === path))) return 'path_taken'
    for (const context of contexts) this.contexts.set(context.id, context)
    return 'done'
  }

  async remove(id: string): Promise<'done' | 'gone' | 'inhabited'> {
    await this.#turn()
    const context = this.contexts.get(id)
    if (context === undefined) return 'gone'
    if (this.inhabited.has(context.path)) return 'inhabited'
    this.contexts.delete(id)
    return 'done'
  }

  /** A write takes a turn of the loop, as a commit does. */
  async #turn(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    const { refusal } = this
    this.refusal = undefined
    if (refusal !== undefined) throw refusal
  }
}
