import { type JsonValue, type OutputLimit, outputTooLarge } from '../../plugin-api.ts'
import { sqlError } from './sql-errors.ts'

export type Row = { [column: string]: JsonValue }

export interface RowLimits {
  readonly maxRows: number
  readonly output: OutputLimit
}

/** As many as a table of MySQL may have; PostgreSQL and SQLite give fewer. */
const MOST_COLUMNS = 4_096

/** What a value or a name takes besides its characters: quotes, a colon, a comma. */
const AROUND = 4

/**
 * Takes rows as they come and stops at the first that is too much: a table that is cut without a word would be taken
 * for the whole, and one that is read to its end before anybody looks could fill the memory.
 */
export class RowCollector {
  readonly rows: Row[] = []
  readonly #limits: RowLimits
  #columns: readonly string[] = []
  #bytes = 0
  #named = 0

  constructor(limits: RowLimits) {
    this.#limits = limits
  }

  set columns(names: readonly string[]) {
    if (names.length > MOST_COLUMNS) throw tooManyColumns(names.length)
    this.#columns = distinctNames(names)
    this.#named = this.#columns.reduce((sum, name) => sum + name.length + AROUND, 0)
  }

  /** `written`: the values as the database writes them, where that is known. */
  add(values: readonly JsonValue[], written: readonly (string | null)[] = []): void {
    const { maxRows, output } = this.#limits
    if (this.rows.length >= maxRows) throw tooManyRows(maxRows)
    this.#bytes += this.#named
    for (const [index, value] of values.entries())
      this.#bytes += AROUND + lengthOf(value, written[index]?.length)
    if (this.#bytes > output.bytes)
      throw outputTooLarge(output, { advice: 'Select fewer rows or columns (LIMIT, WHERE)' })
    this.rows.push(rowOf(this.#columns, values))
  }
}

/** Lists and objects may be written with spaces, which are not put out: they count for half of what they are there. */
function lengthOf(value: JsonValue, written = 0): number {
  if (typeof value === 'string') return value.length
  return typeof value === 'object' && value !== null ? Math.max(8, written / 2) : 8
}

function tooManyColumns(columns: number): Error {
  return sqlError(
    'sql_too_many_columns',
    `The answer has ${columns} columns; at most ${MOST_COLUMNS} are read. Select those that you need.`
  )
}

export function tooManyRows(maxRows: number): Error {
  return sqlError(
    'sql_too_many_rows',
    `The query gives more than ${maxRows} rows, and nothing was committed. Select fewer (LIMIT, WHERE), or raise Most rows of the node.`
  )
}

function rowOf(columns: readonly string[], values: readonly JsonValue[]): Row {
  // Not assigned one by one: a column may be called __proto__.
  return Object.fromEntries(columns.map((column, index) => [column, values[index]!]))
}

/** `select a.id, b.id` has two columns of one name, and a row has one: the second is `id_2`. */
export function distinctNames(names: readonly string[]): string[] {
  const taken = new Set(names)
  const used = new Set<string>()
  // Where the search for the next number goes on: from 2 each time, equal names would take the square of their number.
  const counts = new Map<string, number>()
  return names.map((name) => {
    let free = name
    let count = counts.get(name) ?? 1
    while (used.has(free) || (free !== name && taken.has(free))) free = `${name}_${++count}`
    counts.set(name, count)
    used.add(free)
    return free
  })
}
