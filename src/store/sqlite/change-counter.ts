import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { BatchMember } from './group-commit.ts'

/**
 * Numbers every acceptance, journal entry and ending. Numbers are given inside the batch, so their order is the
 * order of commits. The last one is written with each batch that gave any: one page per batch, and no number
 * comes back even when every row that carried it has been deleted.
 */
export class ChangeCounter implements BatchMember {
  readonly #save: StatementSync
  #last: number
  #saved: number

  constructor(db: DatabaseSync) {
    const row = db.prepare("SELECT value FROM meta WHERE name = 'last_number'").get() as { value: number }
    this.#save = db.prepare("UPDATE meta SET value = ? WHERE name = 'last_number'")
    this.#last = row.value
    this.#saved = row.value
  }

  get last(): number {
    return this.#last
  }

  next(): number {
    this.#last += 1
    return this.#last
  }

  snapshot(): () => void {
    const last = this.#last
    const saved = this.#saved
    return () => {
      this.#last = last
      this.#saved = saved
    }
  }

  save(): void {
    if (this.#last === this.#saved) return
    this.#save.run(this.#last)
    this.#saved = this.#last
  }
}
