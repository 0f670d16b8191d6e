import type { LazyAbort } from '../../engine/lazy-abort.ts'
import type { ItemRules } from '../../flows/step/step-children.ts'
import type { ExecutedChild, NewChild } from '../../store/children.ts'
import type { ItemExecutor } from './item-executor.ts'

/** So many are started, recorded or read at a time. */
export const BATCH = 500
/** With items of megabytes, fewer. */
export const BATCH_BYTES = 4 * 1024 * 1024

/** What the next one begins with, once the one before has ended; undefined where there is none. */
type NextInput = (index: number, before?: ExecutedChild) => { readonly input: unknown } | undefined

/** The items of a list, or with `stopsOnFailure` those up to the first that fails. */
export function inputsOf(items: readonly unknown[], { stopsOnFailure }: ItemRules): NextInput {
  return (index, before) => {
    if (index === items.length) return undefined
    if (stopsOnFailure && before !== undefined && before.outcome.status !== 'succeeded') return undefined
    return { input: items[index] }
  }
}

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
 * Items, or rounds, that are executed where their parent is, one after the other, and recorded as ended runs so many at a time. To start
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

  /** Resolves to the index from which on they need runs of their own, or to `all` where none does. */
  async execute(nextInput: NextInput): Promise<'all' | number> {
    const { newItem, executor, abort, pause } = this.#deps
    let before: ExecutedChild | undefined
    let index = 0
    for (let next = nextInput(index); next !== undefined; next = nextInput(++index, before)) {
      const child = newItem(next.input, index)
      const executed = executor.execute(child)
      const outcome = executed instanceof Promise ? await this.#orAborted(executed) : executed
      if (abort.reason !== undefined) throw abort.reason
      if (outcome === undefined) {
        await this.#flush()
        return this.#recorded
      }
      before = { child, outcome }
      this.#batch.push(before)
      this.#bytes += child.input.byteLength + outcome.steps.length
      const isFull = this.#batch.length === BATCH || this.#bytes > BATCH_BYTES
      if (isFull && !(await this.#flush())) return this.#recorded
      const turn = pause()
      if (turn !== undefined) await turn
    }
    return (await this.#flush()) ? 'all' : this.#recorded
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
