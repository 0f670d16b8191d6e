import type { Effects, StepCall, Timer } from './effects.ts'
import type { WaitingStep } from './journal.ts'
import type { StepFailure } from './step-record.ts'

/** The steps of one run that wait for their next attempt, and the timers of a run that goes on around them. */
export class Waits {
  readonly #steps: Map<number, WaitingStep>
  readonly #effects: Effects
  /** The step at this place may be ready: whoever is told looks again. */
  readonly #onOver: (index: number) => void
  readonly #timers: Timer[] = []

  constructor(steps: Map<number, WaitingStep>, effects: Effects, onOver: (index: number) => void) {
    this.#steps = steps
    this.#effects = effects
    this.#onOver = onOver
  }

  get count(): number {
    return this.#steps.size
  }

  get all(): WaitingStep[] {
    return [...this.#steps.values()]
  }

  has(index: number): boolean {
    return this.#steps.has(index)
  }

  add(call: StepCall, error: StepFailure, delay: number): WaitingStep {
    const { index, id, type } = call.node
    const endedAt = this.#effects.wallClock()
    const wait = { node: id, type, attempts: call.attempt, endedAt, until: endedAt + delay, error }
    this.#steps.set(index, wait)
    return wait
  }

  /** False where the step does not wait, or no longer. A wait that goes on is timed. */
  goesOn(index: number): boolean {
    const wait = this.#steps.get(index)
    if (wait === undefined) return false
    const left = wait.until - this.#effects.wallClock()
    if (left <= 0) {
      this.#steps.delete(index)
      return false
    }
    this.time(index, left)
    return true
  }

  /**
   * Whether the wait is over, the wall clock decides and not the timer: one may come a millisecond early by that clock,
   * and one for longer than timers can be set for does so by far.
   */
  time(index: number, ms: number): void {
    const look = () => {
      if (this.#steps.has(index)) this.#onOver(index)
    }
    this.#timers.push(this.#effects.startTimer(ms, look))
  }

  /** When the first of them is over. */
  get dueAt(): number {
    return Math.min(...this.all.map((wait) => wait.until))
  }

  stop(): void {
    for (const timer of this.#timers) timer.stop()
  }
}
