import type { ContextStore, StoredContext } from '../store/store.ts'

/** A ContextStore in memory that keeps the contract of store.ts: paths are unique, and all are put or none. */
export class MemoryContextStore implements ContextStore {
  readonly contexts = new Map<string, StoredContext>()
  /** Set, it is what the next write is refused with. */
  refusal: Error | undefined

  async list(): Promise<StoredContext[]> {
    return [...this.contexts.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  async put(contexts: readonly StoredContext[]): Promise<void> {
    await this.#turn()
    const others = [...this.contexts.values()].filter((kept) => !contexts.some(({ id }) => id === kept.id))
    for (const { path } of contexts) {
      if (others.some((other) => other.path === path)) throw new Error(`UNIQUE constraint failed: ${path}`)
    }
    for (const context of contexts) this.contexts.set(context.id, context)
  }

  async remove(id: string): Promise<boolean> {
    await this.#turn()
    return this.contexts.delete(id)
  }

  /** A write takes a turn of the loop, as a commit does. */
  async #turn(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    const { refusal } = this
    this.refusal = undefined
    if (refusal !== undefined) throw refusal
  }
}
