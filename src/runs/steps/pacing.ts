import type { Clock } from '../../clock.ts'
import type { LazyAbort } from '../../engine/lazy-abort.ts'
import type { Pacer } from '../../flows/in-turns.ts'

/** For so long a step holds the thread before others have their turn, as runs do that are short. */
const TURN_MS = 8

/** So many long computations may be under way before no further run begins: each holds its data in memory. */
const MOST_AT_ONCE = 4

/** So much may wait to be written, in bytes, before no further text is computed. */
const MOST_UNWRITTEN = 32 * 1024 * 1024

interface QueuedStep {
  readonly pace: Pace
  readonly goOn: () => void
  readonly giveUp: (reason: Error) => void
}

/**
 * Long computations of steps, in turns with everything else that the thread does. The oldest goes first: all in turn
 * with each other, they would all be in memory until the last one is done.
 *
 * Steps that execute items one after the other are no such computation: each item is small, and they may be a hundred thousand. They go on
 * in turn with each other, so that a short list is not held up by a long one, and in turn with the computations; and however many there
 * are, other runs begin.
 */
export class Pacing {
  readonly #clock: Pick<Clock, 'soon' | 'stopwatch'>
  readonly #queued = new Map<number, QueuedStep>()
  /** First come, first served. */
  readonly #withItems = new Set<QueuedStep>()
  #hadItemsLast = false
  #last = 0
  /** The computation that goes on, until it waits again or another turn has come. */
  #current: Pace | undefined
  #unwritten = 0
  #isScheduled = false
  #onRoom: () => void = () => {}

  constructor(clock: Pick<Clock, 'soon' | 'stopwatch'>) {
    this.#clock = clock
  }

  /** Whether so much is under way that no further run should begin. */
  get isCrowded(): boolean {
    const underWay = this.#queued.size + (this.#current === undefined ? 0 : 1)
    return underWay >= MOST_AT_ONCE || this.#isFull
  }

  /** Called whenever it may have ceased to be crowded. */
  whenRoom(then: () => void): void {
    this.#onRoom = then
  }

  /** For one computation; it may be over at any time without a word. */
  begin(abort: LazyAbort): Pacer {
    return new Pace(++this.#last, abort, this.#clock.stopwatch, (pace) => this.#wait(pace))
  }

  /** For a step that executes items. */
  beginItems(abort: LazyAbort): Pacer {
    return new Pace(++this.#last, abort, this.#clock.stopwatch, (pace) => this.#waitWithItems(pace))
  }

  /** Bytes that are ready to be written, until `write` has settled. */
  async writing<T>(bytes: number, write: () => Promise<T>): Promise<T> {
    this.#unwritten += bytes
    try {
      return await write()
    } finally {
      this.#unwritten -= bytes
      this.#schedule()
    }
  }

  get #isFull(): boolean {
    return this.#unwritten >= MOST_UNWRITTEN
  }

  #wait(pace: Pace): Promise<void> {
    if (this.#current === pace) this.#current = undefined
    return new Promise((goOn, giveUp) => {
      this.#queued.set(pace.no, { pace, goOn, giveUp })
      this.#schedule()
    })
  }

  #waitWithItems(pace: Pace): Promise<void> {
    return new Promise((goOn, giveUp) => {
      this.#withItems.add({ pace, goOn, giveUp })
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#clock.soon(() => this.#turn())
  }

  #turn(): void {
    this.#isScheduled = false
    this.#current = undefined
    if (!this.#isFull) this.#next()
    if (!this.isCrowded) this.#onRoom()
  }

  #next(): void {
    const oldest = this.#oldest()
    const [withItems] = this.#withItems
    const next = withItems === undefined || (this.#hadItemsLast && oldest !== undefined) ? oldest : withItems
    if (next === undefined) return
    this.#hadItemsLast = next === withItems
    if (next === withItems) this.#withItems.delete(next)
    else {
      this.#queued.delete(next.pace.no)
      this.#current = next.pace
    }
    next.pace.goOn(next)
    // Whether it waits again is known by then.
    this.#schedule()
  }

  #oldest(): QueuedStep | undefined {
    if (this.#queued.size === 0) return undefined
    return this.#queued.get(Math.min(...this.#queued.keys()))
  }
}

class Pace implements Pacer {
  readonly no: number
  readonly #abort: LazyAbort
  readonly #stopwatch: () => number
  readonly #wait: (pace: Pace) => Promise<void>
  #since: number | undefined

  constructor(no: number, abort: LazyAbort, stopwatch: () => number, wait: (pace: Pace) => Promise<void>) {
    this.no = no
    this.#abort = abort
    this.#stopwatch = stopwatch
    this.#wait = wait
  }

  pause(): Promise<void> | undefined {
    const now = this.#stopwatch()
    this.#since ??= now
    return now - this.#since < TURN_MS ? undefined : this.#wait(this)
  }

  /** A step whose run is over, or that ran out of time, is not computed to its end. */
  goOn({ goOn, giveUp }: QueuedStep): void {
    this.#since = this.#stopwatch()
    const { reason } = this.#abort
    if (reason === undefined) goOn()
    else giveUp(reason)
  }
}
