import type { StepRecord } from '../../engine/step-record.ts'
import type { Quarantine } from './quarantine.ts'

/** That a run is in quarantine, or waits for its trial or that of others. */
export class RunSuspicion {
  readonly #quarantine: Quarantine
  /** The steps that brought it there. */
  readonly #suspects: Set<string> | undefined
  #hasLeft = false

  constructor(quarantine: Quarantine, suspects: Set<string> | undefined) {
    this.#quarantine = quarantine
    this.#suspects = suspects
  }

  /** `goOn` is called when it may, which may be at once. Without steps of its own it waits for the trials of others. */
  enter(goOn: () => void): void {
    if (this.#suspects === undefined) this.#quarantine.afterwards(this, goOn)
    else this.#quarantine.enter(this, goOn)
  }

  /** As soon as it is durable that its steps have an end, the process lives on. */
  clear(settled: readonly StepRecord[]): void {
    for (const { node } of settled) this.#suspects?.delete(node)
    if ((this.#suspects?.size ?? 0) === 0) this.leave()
  }

  leave(): void {
    if (this.#hasLeft) return
    this.#hasLeft = true
    this.#quarantine.leave(this)
  }
}
