import type { RunQueue } from '../../store/shared-store.ts'
import type { EndedWatch } from '../dispatch/ended-watch.ts'
import { UnderWay } from './under-way.ts'

interface RemoteEndsDeps {
  readonly queue: Pick<RunQueue, 'endsOf'>
  readonly watch: EndedWatch
  readonly onError: (error: unknown, doing: string) => void
}

/** Tells those who wait here for the end of a run that another process has ended it. */
export class RemoteEnds {
  readonly #deps: RemoteEndsDeps
  readonly #underWay = new UnderWay()
  #isLooking = false
  #isAsked = false
  #isStopped = false

  constructor(deps: RemoteEndsDeps) {
    this.#deps = deps
    // It may have ended before anybody began to wait.
    deps.watch.onWatch = () => this.look()
  }

  /** Something has changed, somewhere. */
  look(): void {
    this.#isAsked = true
    if (this.#isStopped || this.#isLooking || this.#deps.watch.watched.length === 0) return
    this.#isLooking = true
    void this.#underWay.add(this.#lookOn())
  }

  /** Resolves when nothing is asked of the store any more. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#underWay.over()
  }

  /** Its last look at whether more is asked for and its end are one step: what is asked between them would be lost. */
  async #lookOn(): Promise<void> {
    const { queue, watch, onError } = this.#deps
    try {
      while (this.#isAsked && !this.#isStopped && watch.watched.length > 0) {
        this.#isAsked = false
        for (const [runId, status] of await queue.endsOf(watch.watched)) watch.ended(runId, status)
      }
    } catch (error) {
      onError(error, 'looking whether runs have ended')
    } finally {
      this.#isLooking = false
    }
  }
}
