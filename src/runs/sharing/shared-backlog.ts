import type { Clock } from '../../clock.ts'
import type { Backlog } from '../dispatch/dispatch.ts'

/** Counts are never older than this; what was added before is in every one of them. */
const REMEMBERED_MS = 10_000

/**
 * The backlog of all processes: as one of them has counted it a moment ago, and what this one has added and taken
 * away since. It may be off by what the others did in that moment, so a limit is held to within about two seconds.
 */
export class SharedBacklog implements Backlog {
  readonly #clock: Pick<Clock, 'stopwatch'>
  #counted = 0
  #since = 0
  /** What was added in each millisecond that something was. */
  readonly #recent: { readonly at: number; sum: number }[] = []

  constructor(clock: Pick<Clock, 'stopwatch'>) {
    this.#clock = clock
  }

  get count(): number {
    return Math.max(0, this.#counted + this.#since)
  }

  accepting(): void {
    this.#add(1)
  }

  accepted(isKept: boolean): void {
    if (!isKept) this.#add(-1)
  }

  entered(): void {
    this.#add(1)
  }

  left(): void {
    this.#add(-1)
  }

  #add(difference: 1 | -1): void {
    this.#since += difference
    const at = Math.floor(this.#clock.stopwatch())
    const last = this.#recent.at(-1)
    if (last?.at === at) last.sum += difference
    else this.#recent.push({ at, sum: difference })
  }

  /** It was so many, so many milliseconds ago. */
  counted(backlog: number, ageMs: number): void {
    const at = this.#clock.stopwatch() - Math.min(ageMs, REMEMBERED_MS)
    const stillNew = this.#recent.findIndex((each) => each.at >= at)
    this.#recent.splice(0, stillNew === -1 ? this.#recent.length : stillNew)
    this.#counted = backlog
    this.#since = this.#recent.reduce((sum, each) => sum + each.sum, 0)
  }
}
