import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { BatchMember } from './group-commit.ts'

/**
 * A number that is kept in memory and written with each batch that changed it, one page for all of them.
 * Neither is derived from the rows at the start: `last_number` must not come back when the newest rows are
 * deleted, and counting the ended runs would hold the event loop for 50 ms per 1,000,000.
 */
export class StoredCounter implements BatchMember {
  readonly #save: StatementSync
  readonly #name: string
  #value: number
  #saved: number

  constructor(db: DatabaseSync, name: 'last_number' | 'ended_runs') {
    const row = db.prepare('SELECT value FROM meta WHERE name = ?').get(name) as { value: number }
    this.#save = db.prepare('UPDATE meta SET value = ? WHERE name = ?')
    this.#name = name
    this.#value = row.value
    this.#saved = row.value
  }

  get value(): number {
    return this.#value
  }

  /** Returns the new value. */
  add(difference: number): number {
    this.#value += difference
    return this.#value
  }

  snapshot(): () => void {
    const value = this.#value
    const saved = this.#saved
    return () => {
      this.#value = value
      this.#saved = saved
    }
  }

  save(): void {
    if (this.#value === this.#saved) return
    this.#save.run(this.#value, this.#name)
    this.#saved = this.#value
  }
}
