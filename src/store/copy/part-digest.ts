import { createHash } from 'node:crypto'
import type { CopiedRow, Part, Value } from './part.ts'

/** What a part holds, in short: two parts with the same summary hold the same. */
export interface PartSummary {
  readonly rows: number
  /** SHA-256 over all rows in order, hexadecimal. */
  readonly checksum: string
}

/** Takes the rows of a part in order. Long values may be given as they are, or as what `hashOf` makes of them. */
export class PartDigest {
  readonly #part: Part
  readonly #hash = createHash('sha256')
  #rows = 0

  constructor(part: Part) {
    this.#part = part
  }

  /** A row whose long values are there. */
  add(row: CopiedRow): void {
    this.addHashed(
      row.map((value, index) => (value !== null && this.#part.columns[index]!.isLong ? hashOf(value) : value))
    )
  }

  /** A row whose long values were hashed where they are. */
  addHashed(row: CopiedRow): void {
    this.#rows += 1
    this.#hash.update(`${JSON.stringify(row)}\n`)
  }

  summary(): PartSummary {
    return { rows: this.#rows, checksum: this.#hash.digest('hex') }
  }
}

/** Of the bytes, which for text are those of UTF-8: PostgreSQL's sha256() gives the same. */
function hashOf(value: Exclude<Value, null>): string {
  return createHash('sha256')
    .update(typeof value === 'number' ? String(value) : value)
    .digest('hex')
}
