import type { Attempts } from './attempts.ts'
import type { Checkpoints } from './checkpoints.ts'
import { isPure } from './plan.ts'
import { StepError } from './step-error.ts'

interface StopParts {
  readonly attempts: Pick<Attempts, 'nodes' | 'letGoHeld'>
  readonly checkpoints: Pick<Checkpoints, 'save'>
  /** Its pure steps are written down too. */
  readonly isSuspect: boolean
}

/**
 * That the service stops. Steps that are under way then may not come to their end in time, and the next process is to know that
 * this one did not die in them.
 */
export class OrderlyStop {
  readonly #parts: StopParts
  #isAsked = false
  #isNoting = false

  constructor(parts: StopParts) {
    this.#parts = parts
  }

  /** That steps are left is being written down. */
  get isNoting(): boolean {
    return this.#isNoting
  }

  /** `advance` is called whenever the run may be handed back. */
  ask(advance: () => void): void {
    const isFirst = !this.#isAsked
    this.#isAsked = true
    advance()
    if (isFirst) this.#noteLeft(advance)
  }

  #noteLeft(advance: () => void): void {
    const { attempts, checkpoints, isSuspect } = this.#parts
    const left = attempts.nodes.filter((node) => isSuspect || !isPure(node)).map(({ id }) => id)
    if (left.length === 0) return
    this.#isNoting = true
    attempts.letGoHeld(new StepError('The service stops.', { code: 'stopping' }))
    // Where it cannot be written, or the run is somebody else's by now, the next entry tells.
    checkpoints.save({ left }).then(() => {
      this.#isNoting = false
      advance()
    })
  }
}
