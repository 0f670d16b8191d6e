import type { ExecutableRun } from '../../store/store.ts'

/** A run that waits in memory for its turn. */
export interface Waiting {
  readonly run: ExecutableRun
  readonly journal: readonly string[]
  /** It was opened again, and has not begun since. */
  readonly isReopened?: true
  /** A process that had it in hand was ended because its thread was held. */
  readonly mayHaveHung?: boolean
  /** One process has died with it, and no more: nobody is tried alone yet that it would have to keep away from. */
  readonly hasSeenOneDeath?: boolean
}

/** What waits in memory, of all flows. */
export interface InMemory {
  runs: number
  bytes: number
}

/** Runs of one flow that wait in memory, first come, first served. */
export class RunWindow {
  readonly #memory: InMemory
  #runs: (Waiting | undefined)[] = []
  #head = 0
  #bytes = 0

  constructor(memory: InMemory) {
    this.#memory = memory
  }

  get size(): number {
    return this.#runs.length - this.#head
  }

  /** About what they take in memory. */
  get bytes(): number {
    return this.#bytes
  }

  push(waiting: Waiting): void {
    this.#runs.push(waiting)
    this.#count(bytesOf(waiting), 1)
  }

  /** Where it belongs in the order of acceptance: almost always at the end. */
  insert(waiting: Waiting): void {
    let at = this.#runs.length
    while (at > this.#head && this.#runs[at - 1]!.run.seq > waiting.run.seq) at--
    if (at === this.#runs.length) return this.push(waiting)
    this.#runs.splice(at, 0, waiting)
    this.#count(bytesOf(waiting), 1)
  }

  shift(): Waiting | undefined {
    const next = this.#runs[this.#head]
    if (next === undefined) return undefined
    this.#count(bytesOf(next), -1)
    // A run that is executed must not be kept alive by the place where it waited.
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
    for (const waiting of all) this.#count(bytesOf(waiting), -1)
    this.#runs = []
    this.#head = 0
    return all
  }

  remove(id: string): Waiting | undefined {
    const at = this.#runs.findIndex((waiting) => waiting?.run.id === id)
    if (at < 0) return undefined
    const [waiting] = this.#runs.splice(at, 1)
    this.#count(bytesOf(waiting!), -1)
    return waiting
  }

  #count(bytes: number, sign: 1 | -1): void {
    this.#bytes += sign * bytes
    this.#memory.runs += sign
    this.#memory.bytes += sign * bytes
  }
}

function bytesOf({ run, journal }: Waiting): number {
  let bytes = run.input.length
  for (const entry of journal) bytes += entry.length
  return bytes
}
