import type { RunQueue } from '../../store/shared-store.ts'
import type { EndedWatch } from '../ended-watch.ts'

export interface RemoteEndsDeps {
  readonly queue: Pick<RunQueue, 'endsOf'>
  readonly watch: EndedWatch
  readonly onError: (error: unknown, doing: string) => void
}

/** Tells those who wait here for the end of a run that another process has ended it. */
export class RemoteEnds {
  readonly #deps: RemoteEndsDeps
  #isLooking = false
  #isAsked = false

  constructor(deps: RemoteEndsDeps) {
    this.#deps = deps
    // It may have ended before anybody began to wait.
    deps.watch.onWatch = () => this.look()
  }

  /** Something has changed, somewhere. */
  look(): void {
    this.#isAsked = true
    if (this.#isLooking || this.#deps.watch.watched.length === 0) return
    this.#isLooking = true
    this.#lookOn()
      .catch((error) => this.#deps.onError(error, 'looking whether runs have ended'))
      .finally(() => {
        this.#isLooking = false
      })
  }

  async #lookOn(): Promise<void> {
    const { queue, watch } = this.#deps
    while (this.#isAsked && watch.watched.length > 0) {
      this.#isAsked = false
      for (const [runId, status] of await queue.endsOf(watch.watched)) watch.ended(runId, status)
    }
  }
}
