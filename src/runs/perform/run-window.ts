import type { RunToPerform } from '../../store/store.ts'

/** A run that waits in memory for its turn. */
export interface Waiting {
  readonly run: RunToPerform
  readonly journal: readonly string[]
  /** A process that had it in hand was ended because its thread was held. */
  readonly mayHaveHung?: boolean
}

/** Runs of one flow that wait in memory, first come, first served. */
export class RunWindow {
  #runs: (Waiting | undefined)[] = []
  #head = 0
  #bytes = 0

  get size(): number {
    return this.#runs.length - this.#head
  }

  /** About what they take in memory. */
  get bytes(): number {
    return this.#bytes
  }

  push(waiting: Waiting): void {
    this.#runs.push(waiting)
    this.#bytes += bytesOf(waiting)
  }

  shift(): Waiting | undefined {
    const next = this.#runs[this.#head]
    if (next === undefined) return undefined
    this.#bytes -= bytesOf(next)
    // A run that is performed must not be kept alive by the place where it waited.
    this.#runs[this.#head++] = undefined
    // Taking from the front of a long array one by one would move the whole of it each time.
    if (this.#head >= 256 && this.#head * 2 >= this.#runs.length) {
      this.#runs = this.#runs.slice(this.#head)
      this.#head = 0
    }
    return next
  }

  /** Takes all of them out. */
  clear(): Waiting[] {
    const all = this.#runs.slice(this.#head) as Waiting[]
    this.#runs = []
    this.#head = 0
    this.#bytes = 0
    return all
  }

  get ids(): string[] {
    return this.#runs.slice(this.#head).map((waiting) => waiting!.run.id)
  }

  remove(id: string): Waiting | undefined {
    const at = this.#runs.findIndex((waiting) => waiting?.run.id === id)
    if (at < 0) return undefined
    const [waiting] = this.#runs.splice(at, 1)
    this.#bytes -= bytesOf(waiting!)
    return waiting
  }
}

export function bytesOf({ run, journal }: Waiting): number {
  let bytes = run.input.length
  for (const entry of journal) bytes += entry.length
  return bytes
}
