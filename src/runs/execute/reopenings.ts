import type { NewsOfRun } from './executing-run.ts'

/** Those who are asking the store to open a run again: several may, as when somebody clicks twice. */
export class Reopenings {
  readonly #onSettled: () => void
  readonly #settled = Promise.withResolvers<void>()
  #asking = 0

  constructor(onSettled: () => void) {
    this.#onSettled = onSettled
  }

  /** Resolves when one of them has opened it, or none of them could. */
  get settled(): Promise<void> {
    return this.#settled.promise
  }

  notify(news: NewsOfRun): void {
    if (news === 'reopening') this.#asking++
    if (news === 'not reopened') this.#asking--
    if (news !== 'ended' && this.#asking > 0) return
    this.#settled.resolve()
    this.#onSettled()
  }
}
