import type { RunCost, Spent } from '../../store/spending.ts'

interface Batch {
  readonly no: number
  readonly spent: readonly Spent[]
  readonly runs: readonly RunCost[]
  readonly isAgain: boolean
}

/** What was spent and is not written yet; what is being written is among it until that is done. */
export class Unsaved {
  #waiting = new Map<string, Spent>()
  #writing = new Map<string, Spent>()
  #runs = new Map<number, number>()
  #writingRuns = new Map<number, number>()
  #no = 0
  /** Of runs that ask models: the topmost that they belong to, which it stays. */
  readonly #tops = new Map<number, number>()

  add(spent: Spent, runSeq: number | undefined): void {
    put(this.#waiting, spent)
    if (runSeq !== undefined) this.#runs.set(runSeq, (this.#runs.get(runSeq) ?? 0) + spent.cost)
  }

  /** Of this month, on. */
  *spent(fromDay: string): Iterable<Spent> {
    for (const all of [this.#waiting, this.#writing])
      for (const each of all.values()) if (each.day >= fromDay) yield each
  }

  knowTop(runSeq: number, top: number): void {
    if (this.#tops.size > MOST_TOPS) this.#tops.clear()
    this.#tops.set(runSeq, top)
  }

  topOf(runSeq: number): number | undefined {
    return this.#tops.get(runSeq)
  }

  ofRun(top: number): number {
    let sum = 0
    for (const all of [this.#runs, this.#writingRuns])
      for (const [seq, cost] of all) if ((this.#tops.get(seq) ?? seq) === top) sum += cost
    return sum
  }

  /**
   * What is to be written next; undefined where there is nothing. What was not told to be written comes again as it was, under its
   * number: perhaps the store has it, and only the answer was lost.
   */
  take(): Batch | undefined {
    const isAgain = this.#writing.size > 0
    if (!isAgain && this.#waiting.size === 0) return undefined
    if (!isAgain) {
      this.#no++
      this.#writing = this.#waiting
      this.#writingRuns = this.#runs
      this.#waiting = new Map()
      this.#runs = new Map()
    }
    const runs = [...this.#writingRuns].map(([runSeq, cost]) => ({ runSeq, cost }))
    return { no: this.#no, spent: [...this.#writing.values()], runs, isAgain }
  }

  written(): void {
    this.#writing = new Map()
    this.#writingRuns = new Map()
  }
}

const MOST_TOPS = 100_000

function put(all: Map<string, Spent>, spent: Spent): void {
  const { day, context, flowId, model } = spent
  const key = JSON.stringify([day, context, flowId, model])
  const known = all.get(key)
  if (known === undefined) all.set(key, spent)
  else
    all.set(key, {
      ...spent,
      calls: known.calls + spent.calls,
      input: known.input + spent.input,
      cached: known.cached + spent.cached,
      output: known.output + spent.output,
      cost: known.cost + spent.cost,
      unpriced: known.unpriced + spent.unpriced
    })
}
