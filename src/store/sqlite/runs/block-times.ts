import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { BatchMember } from '../file/group-commit.ts'

/** Numbers in a block. The first migration says `>> 10`: this changes only with that. */
export const BLOCK_LENGTH = 1024

/** Not `>>`, which cuts numbers at 32 bits. */
export function blockOf(number: number): number {
  return Math.floor(number / BLOCK_LENGTH)
}

interface NumberRange {
  readonly from: number
  /** Exclusive. */
  readonly below: number
}

interface Span {
  firstAt: number
  lastAt: number
}

/**
 * Knows between which moments the runs of a block were accepted, and so which numbers a search by time has
 * to look at. A span only ever grows; it says where a run may be, never that there is one. One row per batch
 * is written, or two.
 */
export class BlockTimes implements BatchMember {
  readonly #widen: StatementSync
  readonly #within: StatementSync
  readonly #forget: StatementSync
  #touched = new Map<number, Span>()

  constructor(db: DatabaseSync) {
    this.#widen = db.prepare(
      `INSERT INTO blocks (block, first_at, last_at) VALUES (?, ?, ?)
       ON CONFLICT (block) DO UPDATE
         SET first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at)`
    )
    this.#within = db.prepare(
      `SELECT min(block) AS first, max(block) AS last FROM blocks
       WHERE (?1 IS NULL OR last_at >= ?1) AND (?2 IS NULL OR first_at < ?2)`
    )
    this.#forget = db.prepare('DELETE FROM blocks WHERE block < ?')
  }

  /** A run with this number was accepted at this moment. */
  note(seq: number, at: number): void {
    const block = blockOf(seq)
    const span = this.#touched.get(block)
    if (span === undefined) {
      this.#touched.set(block, { firstAt: at, lastAt: at })
      return
    }
    if (at < span.firstAt) span.firstAt = at
    if (at > span.lastAt) span.lastAt = at
  }

  /** Where runs accepted from `since` (inclusive) until `until` (exclusive) may be; null when nowhere. */
  within(since: number | undefined, until: number | undefined): NumberRange | null {
    const row = this.#within.get(since ?? null, until ?? null) as {
      first: number | null
      last: number | null
    }
    if (row.first === null || row.last === null) return null
    return { from: row.first * BLOCK_LENGTH, below: (row.last + 1) * BLOCK_LENGTH }
  }

  /** No run below this number is left. */
  forgetBelow(seq: number): void {
    this.#forget.run(blockOf(seq))
  }

  snapshot(): () => void {
    const before = copyOf(this.#touched)
    return () => {
      this.#touched = copyOf(before)
    }
  }

  save(): void {
    for (const [block, span] of this.#touched) this.#widen.run(block, span.firstAt, span.lastAt)
    this.#touched.clear()
  }
}

/** A deep copy: spans are changed in place, and one snapshot may be put back more than once. */
function copyOf(spans: ReadonlyMap<number, Span>): Map<number, Span> {
  return new Map(Array.from(spans, ([block, span]) => [block, { ...span }]))
}
