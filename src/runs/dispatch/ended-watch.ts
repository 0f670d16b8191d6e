import type { Clock } from '../../clock.ts'
import type { EndStatus } from '../../store/store.ts'

/** Lets a caller wait for the end of a run, for as long as it is willing to. */
export class EndedWatch {
  readonly #clock: Clock
  readonly #watchers = new Map<string, Set<(status: EndStatus | undefined) => void>>()

  #isStopped = false

  /** Called when somebody begins to wait. */
  onWatch: (() => void) | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The runs that somebody waits for. */
  get watched(): string[] {
    return [...this.#watchers.keys()]
  }

  /** Resolves to how the run ended, or to undefined when the time is over, the wait is given up or the service stops. */
  wait(runId: string, ms: number, signal?: AbortSignal): Promise<EndStatus | undefined> {
    return new Promise((resolve) => {
      const watchers = this.#watchers.get(runId) ?? new Set()
      const timer = this.#clock.startTimer(ms, () => settle(undefined))
      const settle = (status: EndStatus | undefined): void => {
        if (!watchers.delete(settle)) return
        timer.stop()
        if (watchers.size === 0) this.#watchers.delete(runId)
        resolve(status)
      }
      this.#watchers.set(runId, watchers.add(settle))
      signal?.addEventListener('abort', () => settle(undefined), { once: true })
      this.onWatch?.()
    })
  }

  ended(runId: string, status: EndStatus): void {
    if (this.#watchers.size === 0) return
    for (const settle of this.#watchers.get(runId) ?? []) settle(status)
  }

  /** The service stops: nobody waits any more. */
  get isStopped(): boolean {
    return this.#isStopped
  }

  stop(): void {
    this.#isStopped = true
    for (const watchers of [...this.#watchers.values()]) {
      for (const settle of [...watchers]) settle(undefined)
    }
  }
}
