import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { BatchMember } from '../file/group-commit.ts'

/** Rows in one statement; what is left at the end of a batch goes by the smaller ones. */
const AT_ONCE = [32, 8, 2, 1]
const MOST_AT_ONCE = AT_ONCE[0]!

interface Insert {
  /** Of all its rows together. */
  readonly values: number
  readonly statement: StatementSync
}

/**
 * Rows of a batch, inserted several by one statement: it opens the table and its indexes once, and goes on where the last
 * row was put. What is left is inserted when the batch ends. Nothing may depend on finding a row in the batch that
 * brings it.
 */
export class RowBuffer implements BatchMember {
  readonly #inserts: readonly Insert[]
  /** Filled again and again: a list that grew with every batch was 3 % of what a run allocates. */
  readonly #values: SQLInputValue[]
  #filled = 0

  constructor(db: DatabaseSync, table: string, columns: readonly string[]) {
    const row = `(${columns.map(() => '?').join(', ')})`
    // OR FAIL: a row that is refused leaves those before it there, and with it the batch is rolled back. Without, SQLite copies each page that
    // a statement of several rows changes, to undo that statement alone. SQLite's part of a run, in batches of 90 and 24: 16.7 and 24.3 µs
    // without and by 16 rows, 15.9 and 23.1 so. One row at a time takes 2 µs more.
    const insert = (rows: number) =>
      db.prepare(
        `INSERT OR FAIL INTO ${table} (${columns.join(', ')}) VALUES ${Array(rows).fill(row).join(', ')}`
      )
    this.#inserts = AT_ONCE.map((rows) => ({ values: rows * columns.length, statement: insert(rows) }))
    this.#values = new Array(MOST_AT_ONCE * columns.length).fill(null)
  }

  /** One row: a value for each column. */
  add(values: readonly SQLInputValue[]): void {
    for (const value of values) this.#values[this.#filled++] = value
    if (this.#filled === this.#values.length) this.flush()
  }

  /** Whatever is rolled back, nothing of it waits here any more: a batch begins and ends empty. */
  snapshot(): () => void {
    return () => this.#empty()
  }

  flush(): void {
    if (this.#filled === 0) return
    let at = 0
    for (const { values, statement } of this.#inserts) {
      for (; at + values <= this.#filled; at += values) statement.run(...this.#values.slice(at, at + values))
    }
    this.#empty()
  }

  save(): void {
    this.flush()
  }

  /** Payloads that are stored must not stay in memory. */
  #empty(): void {
    this.#values.fill(null)
    this.#filled = 0
  }
}
