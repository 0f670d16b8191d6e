import type { MillraceError } from '../../../errors.ts'
import { despiteCollisions } from './collisions.ts'
import { SYSTEM_TIMING, type Timing } from './timing.ts'
import { isUnavailable, storeClosed, storeUnwritable } from './unavailable.ts'

export interface BatchWriterOptions<Given, Result> {
  /** For messages. */
  readonly place: string
  /** Does all of them in one transaction and resolves to their results, in their order. */
  readonly commit: (batch: readonly Given[]) => Promise<readonly Result[]>
  /** Two writes of the same key never share a batch, and keep their order. */
  readonly keyOf?: (given: Given) => unknown
  /** Writes of different kinds never share a batch. */
  readonly kindOf?: (given: Given) => unknown
  readonly bytesOf?: (given: Given) => number
  /** Batches that may be on their way at the same time (1). More than one only where no write has a key. */
  readonly atOnce?: number
  readonly onUnwritable?: ((error: MillraceError) => void) | undefined
  readonly onBatch?: ((size: number, seconds: number) => void) | undefined
  readonly timing?: Timing | undefined
}

interface Write<Given, Result> {
  readonly given: Given
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

const MAX_BATCH = 1000
/** One statement carries at most about this much: with payloads of a megabyte a batch is small. */
const MAX_BATCH_BYTES = 8 * 1024 * 1024
/** What may wait while the database is slow. Past this nothing more is taken, so memory has a bound. */
const MAX_QUEUED_BYTES = 128 * 1024 * 1024

/**
 * All writes that arrive while a batch is on its way to the database share the next one: one statement, one
 * transaction, one round trip, one sync. A statement per request was measured at half the throughput.
 *
 * Rules
 * 1. Writes of one key are done in the order in which they were handed in.
 * 2. When the database is away the whole batch rejects with `store_unwritable`; the next batch tries anew, so the
 *    store recovers by itself.
 * 3. Any other error is a fault of one write: the batch, of which nothing was kept, is done again write by write,
 *    and only the faulty one rejects, with the error as it is.
 *
 * Failure window: when the connection breaks before the answer has come, the batch may have been committed. Nobody
 * was told that it is, so nothing is lost; a sender may come twice, and an end that is tried again is recognised.
 */
export class BatchWriter<Given, Result> {
  readonly #options: BatchWriterOptions<Given, Result>
  readonly #timing: Timing
  #queued: Write<Given, Result>[] = []
  #queuedBytes = 0
  #isScheduled = false
  readonly #inFlight = new Set<Promise<void>>()
  /** Writes in the batches that are on their way. */
  #onTheirWay = 0
  #isClosed = false

  constructor(options: BatchWriterOptions<Given, Result>) {
    this.#options = options
    this.#timing = options.timing ?? SYSTEM_TIMING
  }

  write(given: Given): Promise<Result> {
    const { place } = this.#options
    if (this.#isClosed) return Promise.reject(storeClosed(place))
    if (this.#queuedBytes > MAX_QUEUED_BYTES) {
      return Promise.reject(storeUnwritable(place, new Error('too much waits to be written already')))
    }
    return new Promise((resolve, reject) => {
      this.#queued.push({ given, resolve, reject })
      this.#queuedBytes += this.#bytesOf(given)
      this.#schedule()
    })
  }

  /** Resolves when all that was handed in is settled; takes nothing more. */
  async close(): Promise<void> {
    this.#isClosed = true
    while (this.#inFlight.size > 0 || this.#queued.length > 0) {
      await (this.#inFlight.size > 0 ? Promise.race(this.#inFlight) : this.#next())
    }
  }

  /** What else this turn of the loop hands in belongs to the same batch. */
  #schedule(): void {
    if (this.#isScheduled || !this.#mayBegin) return
    this.#isScheduled = true
    this.#timing.soon(() => {
      this.#isScheduled = false
      if (this.#mayBegin) void this.#next()
    })
  }

  /** Beside another one a batch begins only when it is as large: many small ones cost more than waiting does. */
  get #mayBegin(): boolean {
    const queued = this.#queued.length
    return queued > 0 && this.#inFlight.size < (this.#options.atOnce ?? 1) && queued >= this.#onTheirWay
  }

  #next(): Promise<void> {
    const batch = this.#takeBatch()
    this.#onTheirWay += batch.length
    const done = this.#flush(batch).finally(() => {
      this.#onTheirWay -= batch.length
      this.#inFlight.delete(done)
      this.#schedule()
    })
    this.#inFlight.add(done)
    return done
  }

  async #flush(batch: readonly Write<Given, Result>[]): Promise<void> {
    const started = this.#timing.stopwatch()
    try {
      const results = await this.#commit(batch)
      batch.forEach((write, index) => void write.resolve(results[index]!))
      this.#options.onBatch?.(batch.length, (this.#timing.stopwatch() - started) / 1000)
    } catch (error) {
      if (isUnavailable(error)) this.#refuse(batch, error)
      else if (batch.length === 1) batch[0]!.reject(error)
      else for (const write of batch) await this.#flush([write])
    }
  }

  #commit(batch: readonly Write<Given, Result>[]): Promise<readonly Result[]> {
    const givens = batch.map((write) => write.given)
    return despiteCollisions(() => this.#options.commit(givens))
  }

  #refuse(batch: readonly Write<Given, Result>[], error: unknown): void {
    const failure = storeUnwritable(this.#options.place, error)
    for (const write of batch) write.reject(failure)
    this.#options.onUnwritable?.(failure)
  }

  #takeBatch(): Write<Given, Result>[] {
    const { keyOf, kindOf } = this.#options
    const kind = kindOf?.(this.#queued[0]!.given)
    const batch: Write<Given, Result>[] = []
    const rest: Write<Given, Result>[] = []
    const keys = new Set<unknown>()
    let bytes = 0
    for (const write of this.#queued) {
      const key = keyOf?.(write.given)
      const isFull =
        batch.length === MAX_BATCH || (bytes > 0 && bytes + this.#bytesOf(write.given) > MAX_BATCH_BYTES)
      const mayJoin = !isFull && kindOf?.(write.given) === kind && (key === undefined || !keys.has(key))
      if (key !== undefined) keys.add(key)
      if (mayJoin) {
        batch.push(write)
        bytes += this.#bytesOf(write.given)
      } else {
        rest.push(write)
      }
    }
    this.#queued = rest
    this.#queuedBytes -= bytes
    return batch
  }

  #bytesOf(given: Given): number {
    return this.#options.bytesOf?.(given) ?? 0
  }
}
