import type { ExecutorDeps, NewsOfRun } from './executing-run.ts'
import { Reopenings } from './reopenings.ts'

/** What an execution writes of its run, for as long as the run is its own. */
export class OwnWrites {
  readonly #persist: ExecutorDeps['persist']
  /** Somebody has ended it, and may open it again, or it is not held here any more. What is still to be written of it is of the past. */
  #isOthers = false
  #reopenings: Reopenings | undefined

  constructor(persist: ExecutorDeps['persist']) {
    this.#persist = persist
  }

  notify(news: NewsOfRun): void {
    this.#isOthers ||= news === 'ended' || news === 'lost'
    if (news === 'reopening') this.#reopenings ??= new Reopenings(() => this.#reopeningsSettled())
    this.#reopenings?.notify(news)
  }

  /** The run is handed back. What was refused and is still to be tried again would come into its next life. */
  end(): void {
    this.#isOthers = true
  }

  /** A store that refuses is asked again, maybe for long. Null where the run is not ours any more. */
  write<T>(write: () => Promise<T | null>): Promise<T | null> {
    return this.#persist(() => this.#writeIfOurs(write))
  }

  /** Where somebody opens the run again, only the store knows whether this belongs to a life that is over. */
  #writeIfOurs<T>(write: () => Promise<T | null>): Promise<T | null> {
    if (this.#isOthers) return Promise.resolve(null)
    if (this.#reopenings === undefined) return write()
    return this.#reopenings.settled.then(() => this.#writeIfOurs(write))
  }

  #reopeningsSettled(): void {
    this.#reopenings = undefined
  }
}
