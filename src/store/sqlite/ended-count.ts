import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { BatchMember } from './group-commit.ts'

/**
 * How many ended runs there are, for retention by number. Counted once, when it is first asked for (15 ms per
 * 1,000,000 runs), and kept up from then on: counting for every slice would take as long as deleting one.
 */
export class EndedCount implements BatchMember {
  readonly #count: StatementSync
  #value: number | null = null

  constructor(db: DatabaseSync) {
    this.#count = db.prepare('SELECT count(*) AS n FROM outcomes')
  }

  get(): number {
    this.#value ??= (this.#count.get() as { n: number }).n
    return this.#value
  }

  add(difference: number): void {
    if (this.#value !== null) this.#value += difference
  }

  snapshot(): () => void {
    const value = this.#value
    return () => {
      this.#value = value
    }
  }

  save(): void {
    // Nothing: it can be counted again.
  }
}
