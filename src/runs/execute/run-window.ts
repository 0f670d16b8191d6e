import type { ExecutableRun } from '../../store/store.ts'

/** A run that is queued in memory. */
export interface RunInMemory {
  readonly run: ExecutableRun
  readonly journal: readonly string[]
  /** It was opened again, and has not begun since. */
  readonly isReopened?: true
  /** A process that had it in hand was ended because its thread was held. */
  readonly mayHaveHung?: boolean
  /** One process has died with it, and no more: nobody is tried alone yet that it would have to keep away from. */
  readonly hasSeenOneDeath?: boolean
}

/** What is queued in memory, of all flows. */
export interface InMemory {
  runs: number
  bytes: number
}

/** Runs of one flow that are queued in memory, first come, first served. */
export class RunWindow {
  readonly #memory: InMemory
  #runs: (RunInMemory | undefined)[] = []
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

  push(queued: RunInMemory): void {
    this.#runs.push(queued)
    this.#count(bytesOf(queued), 1)
  }

  /** Where it belongs in the order of acceptance: almost always at the end. */
  insert(queued: RunInMemory): void {
    let at = this.#runs.length
    while (at > this.#head && this.#runs[at - 1]!.run.seq > queued.run.seq) at--
    if (at === this.#runs.length) return this.push(queued)
    this.#runs.splice(at, 0, queued)
    this.#count(bytesOf(queued), 1)
  }

  shift(): RunInMemory | undefined {
    const next = this.#runs[this.#head]
    if (next === undefined) return undefined
    this.#count(bytesOf(next), -1)
    // A run that is executed must not be kept alive by the place where it was queued.
    this.#runs[this.#head++] = undefined
    // Taking from the front of a long array one by one would move the whole of it each time.
    if (this.#head >= 256 && this.#head * 2 >= this.#runs.length) {
      this.#runs = this.#runs.slice(this.#head)
      this.#head = 0
    }
    return next
  }

  /** Takes all of them out. */
  clear(): RunInMemory[] {
    const all = this.#runs.slice(this.#head) as RunInMemory[]
    for (const queued of all) this.#count(bytesOf(queued), -1)
    this.#runs = []
    this.#head = 0
    return all
  }

  remove(id: string): RunInMemory | undefined {
    const at = this.#runs.findIndex((queued) => queued?.run.id === id)
    if (at < 0) return undefined
    const [queued] = this.#runs.splice(at, 1)
    this.#count(bytesOf(queued!), -1)
    return queued
  }

  #count(bytes: number, sign: 1 | -1): void {
    this.#bytes += sign * bytes
    this.#memory.runs += sign
    this.#memory.bytes += sign * bytes
  }
}

function bytesOf({ run, journal }: RunInMemory): number {
  let bytes = run.input.length
  for (const entry of journal) bytes += entry.length
  return bytes
}
