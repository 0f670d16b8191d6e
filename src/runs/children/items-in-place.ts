import type { LazyAbort } from '../../engine/lazy-abort.ts'
import type { ItemRules } from '../../flows/step/step-children.ts'
import type { ExecutedChild, NewChild } from '../../store/children.ts'
import type { ItemExecutor } from './item-executor.ts'

/** So many are started, recorded or read at a time. */
export const BATCH = 500
/** With items of megabytes, fewer. */
export const BATCH_BYTES = 4 * 1024 * 1024

interface ItemsInPlaceDeps {
  readonly executor: Pick<ItemExecutor, 'execute' | 'cancel'>
  readonly newItem: (input: unknown, index: number) => NewChild
  /** Keeps those that have ended; false where the store refuses what is in one of them. Rejects when their parent has ended. */
  readonly record: (children: readonly ExecutedChild[]) => Promise<boolean>
  /** Of the step whose items they are. */
  readonly abort: LazyAbort
  readonly pause: () => Promise<void> | undefined
}

/**
 * Items that are executed where their parent is, one after the other, and recorded as ended runs so many at a time. To start
 * each as a run that waits for its turn takes about a millisecond. What a crash finds unrecorded is executed again.
 */
export class ItemsInPlace {
  readonly #deps: ItemsInPlaceDeps
  #batch: ExecutedChild[] = []
  #bytes = 0
  #recorded = 0

  constructor(deps: ItemsInPlaceDeps) {
    this.#deps = deps
  }

  /** Resolves to the index from which on items need runs of their own, or to `all` where none does. */
  async execute(items: readonly unknown[], { stopsOnFailure }: ItemRules): Promise<'all' | number> {
    const { newItem, executor, abort, pause } = this.#deps
    for (const [index, input] of items.entries()) {
      const child = newItem(input, index)
      const executed = executor.execute(child)
      const outcome = executed instanceof Promise ? await this.#orAborted(executed) : executed
      if (abort.reason !== undefined) throw abort.reason
      if (outcome === undefined) break
      this.#batch.push({ child, outcome })
      this.#bytes += child.input.byteLength + outcome.steps.length
      if (stopsOnFailure && outcome.status !== 'succeeded')
        return (await this.#flush()) ? 'all' : this.#recorded
      const isFull = this.#batch.length === BATCH || this.#bytes > BATCH_BYTES
      if (isFull && !(await this.#flush())) return this.#recorded
      const turn = pause()
      if (turn !== undefined) await turn
    }
    await this.#flush()
    return this.#recorded === items.length ? 'all' : this.#recorded
  }

  /** The run of the parent is cancelled: what an item waits for may never come. */
  async #orAborted<T>(executed: Promise<T>): Promise<T> {
    const { abort, executor } = this.#deps
    const cancel = () => executor.cancel()
    if (abort.reason !== undefined) cancel()
    abort.signal.addEventListener('abort', cancel, { once: true })
    try {
      return await executed
    } finally {
      abort.signal.removeEventListener('abort', cancel)
    }
  }

  async #flush(): Promise<boolean> {
    const batch = this.#batch
    this.#batch = []
    this.#bytes = 0
    if (batch.length > 0 && !(await this.#deps.record(batch))) return false
    this.#recorded += batch.length
    return true
  }
}
