/** An offer comes a moment after its run was written: so many others are not ended past this process meanwhile. */
const MOST = 1_000

/** Runs that were ended past this process, the last of them: the offer of one may still be on its way. */
export class EndedRuns {
  readonly #ids = new Set<string>()

  add(runId: string): void {
    this.#ids.add(runId)
    if (this.#ids.size > MOST) this.#ids.delete(this.#ids.values().next().value!)
  }

  /** Whether it is one of them, which it is no longer. */
  take(runId: string): boolean {
    return this.#ids.size > 0 && this.#ids.delete(runId)
  }
}
