import type { Clock } from '../../clock.ts'
import type { Pacer } from '../../flows/in-turns.ts'

/** For so long whoever reads runs holds the thread, as steps do. */
const TURN_MS = 8

/** For one answer, however many runs are read for it. */
export class AnswerPace implements Pacer {
  readonly #clock: Pick<Clock, 'soon' | 'stopwatch'>
  #since: number

  constructor(clock: Pick<Clock, 'soon' | 'stopwatch'>) {
    this.#clock = clock
    this.#since = clock.stopwatch()
  }

  pause(): Promise<void> | undefined {
    if (this.#clock.stopwatch() - this.#since < TURN_MS) return undefined
    return new Promise((goOn) => {
      this.#clock.soon(() => {
        this.#since = this.#clock.stopwatch()
        goOn()
      })
    })
  }
}
