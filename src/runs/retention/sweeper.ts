import type { Clock } from '../../clock.ts'

export interface SweeperDeps {
  readonly clock: Clock
  /** Deletes one slice; resolves to how much went. */
  readonly deleteSlice: (slice: number) => Promise<number>
  /** As it is called when it fails. */
  readonly doing: string
  readonly slice: number
  /** Between the end of a sweep and the beginning of the next. */
  readonly pauseMs: number
  readonly onError: (error: unknown, doing: string) => void
  /** Whether it is for this process to do; of several that share a store only one does it. */
  readonly isMine?: () => boolean
}

/** Deletes what is old in small slices, with requests looked at in between, and rests when nothing is left to do. */
export class Sweeper {
  readonly #deps: SweeperDeps
  #timer: { stop(): void } | undefined
  #sweeping: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(deps: SweeperDeps) {
    this.#deps = deps
  }

  start(): void {
    if (this.#isStopped) return
    this.#timer = this.#deps.clock.startTimer(this.#deps.pauseMs, () => {
      this.#sweeping = this.#sweepWhereMine().finally(() => this.start())
    })
  }

  /** Resolves when nothing is being deleted any more. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#timer?.stop()
    await this.#sweeping
  }

  /** Deletes until nothing is left to delete; resolves to how much went. */
  async sweep(): Promise<number> {
    const { deleteSlice, slice, clock } = this.#deps
    let total = 0
    for (;;) {
      const gone = await deleteSlice(slice)
      total += gone
      if (gone < slice || this.#isStopped) return total
      await new Promise<void>((resolve) => clock.soon(resolve))
      if (this.#isStopped) return total
    }
  }

  async #sweepWhereMine(): Promise<void> {
    if (this.#deps.isMine?.() === false) return
    try {
      await this.sweep()
    } catch (error) {
      this.#deps.onError(error, this.#deps.doing)
    }
  }
}
