import type { Clock } from '../../clock.ts'
import type { RunStore } from '../../store/store.ts'
import { READ_RETRY_MS } from './dispatch-sizes.ts'

interface DueWatchDeps {
  readonly clock: Pick<Clock, 'now' | 'startTimer'>
  readonly store: Pick<RunStore, 'flowsDue' | 'nextDue'>
  /** Parked runs of these flows may be due. */
  readonly onDue: (flowIds: readonly string[]) => void
  readonly onError: (error: unknown, doing: string) => void
}

/**
 * Clocks are set, and machines are put to sleep, which a timer does not notice: the time is looked at as often as this. It asks
 * nobody but the clock.
 */
const LONGEST_SLEEP_MS = 30_000

/**
 * Says when runs are due that wait in the store. It knows one moment, that of the next look, however many runs wait; which
 * flows have some that are due, the store tells then.
 */
export class DueWatch {
  readonly #deps: DueWatchDeps
  #next: { readonly at: number; readonly timer: { stop(): void } } | undefined
  #isStopped = false

  constructor(deps: DueWatchDeps) {
    this.#deps = deps
  }

  /** A run of this flow was parked. */
  expect(flowId: string, dueAt: number): void {
    if (dueAt <= this.#deps.clock.now()) this.#deps.onDue([flowId])
    else this.#lookAt(dueAt)
  }

  /** Tells of flows that have runs that are due, and finds out when the next one will be. */
  async look(): Promise<void> {
    const now = this.#deps.clock.now()
    try {
      const flowIds = await this.#deps.store.flowsDue(now)
      if (flowIds.length > 0) this.#deps.onDue(flowIds)
    } catch (error) {
      return this.#failed(error)
    }
    await this.lookAhead(now)
  }

  /** Finds out when the next one will be. */
  async lookAhead(now: number): Promise<void> {
    try {
      const dueAt = await this.#deps.store.nextDue(now)
      if (dueAt !== null) this.#lookAt(dueAt)
    } catch (error) {
      this.#failed(error)
    }
  }

  stop(): void {
    this.#isStopped = true
    this.#next?.timer.stop()
  }

  #failed(error: unknown): void {
    this.#deps.onError(error, 'looking for runs whose wait is over')
    this.#lookAt(this.#deps.clock.now() + READ_RETRY_MS)
  }

  /** The earliest of all moments counts. A timer may come early; then the look finds out how much is left. */
  #lookAt(at: number): void {
    if (this.#isStopped || (this.#next !== undefined && this.#next.at <= at)) return
    this.#next?.timer.stop()
    this.#sleepUntil(at)
  }

  #sleepUntil(at: number): void {
    const { clock } = this.#deps
    const left = Math.max(0, at - clock.now())
    const timer = clock.startTimer(Math.min(left, LONGEST_SLEEP_MS), () => {
      if (left > LONGEST_SLEEP_MS && clock.now() < at) return this.#sleepUntil(at)
      this.#next = undefined
      void this.look()
    })
    this.#next = { at, timer }
  }
}
