import {
  type BoundedText,
  isPlainObject,
  type JsonValue,
  StepError,
  TURN_WORK,
  type Turns,
  WorkMeter,
  workOf,
  writeJson
} from '../../plugin-api.ts'
import { MOST_COLUMNS } from './csv-parse.ts'
import { describe } from './describe.ts'
import { printed } from './printed.ts'
import { piecesOf } from './text-pieces.ts'

interface CsvStyle {
  readonly delimiter: string
  readonly hasHeader: boolean
  /** Marks the text as UTF-8 for programs that ask for it, such as Excel. */
  readonly hasMark: boolean
}

/**
 * The text of rows: objects, whose keys are the columns in the order in which they first came, or lists. Throws a StepError,
 * or TextTooLong.
 */
export function* writeCsv(rows: readonly JsonValue[], style: CsvStyle, text: BoundedText): Turns<void> {
  const columns = yield* columnsOf(rows)
  // What stands between the cells is there however empty they are.
  text.assertRoom(rows.length * columns.length)
  const line = (cells: readonly (JsonValue | undefined)[]) => lineOf(cells, style)
  if (style.hasMark) text.add('\uFEFF')
  if (style.hasHeader && columns.length > 0) text.add(line(columns))
  for (const [place, row] of rows.entries()) {
    const cells = cellsOf(row, columns, place)
    if (isLong(cells)) yield* writeLong(cells, style, text)
    else text.add(line(cells))
    if (text.isTurnOver(cells.length * WORK_PER_CELL)) yield
  }
}

/** In characters that are written. */
const WORK_PER_CELL = 4

function* columnsOf(rows: readonly JsonValue[]): Turns<string[]> {
  const columns = new Set<string>()
  const work = new WorkMeter()
  for (const row of rows) {
    if (!isPlainObject(row)) continue
    const names = Object.keys(row)
    for (const name of names) columns.add(name)
    if (columns.size > MOST_COLUMNS) throw tooManyColumns()
    if (work.isTurnOver((1 + names.length) * WORK_PER_CELL)) yield
  }
  return [...columns]
}

function tooManyColumns(): StepError {
  return new StepError(
    `The rows have more than ${MOST_COLUMNS} different keys, and each is a column. Choose fewer, with Select and rename.`,
    { code: 'too_many_columns', retryable: false }
  )
}

function cellsOf(
  row: JsonValue,
  columns: readonly string[],
  place: number
): readonly (JsonValue | undefined)[] {
  if (isPlainObject(row)) return columns.map((name) => (Object.hasOwn(row, name) ? row[name] : undefined))
  if (Array.isArray(row) && columns.length === 0) return row
  throw new StepError(
    `Item ${place} is ${describe(row)}. Rows of CSV are objects, or all of them lists of cells.`,
    { code: 'not_an_object', retryable: false }
  )
}

/** A line that is empty is no row to whoever reads it: of one cell alone the quotes are written. */
function lineOf(cells: readonly (JsonValue | undefined)[], style: CsvStyle): string {
  const line = cells.map((cell) => written(cell, style)).join(style.delimiter)
  return line === '' && cells.length === 1 ? '""\n' : `${line}\n`
}

/** Whether the cells take more than a turn. */
function isLong(cells: readonly (JsonValue | undefined)[]): boolean {
  let work = 0
  for (const cell of cells) {
    if (typeof cell === 'object' || typeof cell === 'string') work += workOf(cell)
    if (work > TURN_WORK) return true
  }
  return false
}

/** As `lineOf`, cell by cell: one may be megabytes long. */
function* writeLong(
  cells: readonly (JsonValue | undefined)[],
  { delimiter }: CsvStyle,
  text: BoundedText
): Turns<void> {
  for (const [place, cell] of cells.entries()) {
    if (place > 0) text.add(delimiter)
    const content = yield* printed(cell, text.limit)
    const isQuoted = needsQuotes(content, delimiter)
    if (isQuoted) text.add('"')
    for (const piece of piecesOf(content)) {
      // What is replaced V8 leaves in parts, which take a hundred times as long to join later.
      text.add(isQuoted ? piece.split('"').join('""') : piece)
      if (text.isTurnOver()) yield
    }
    if (isQuoted) text.add('"')
    if (text.isTurnOver(WORK_PER_CELL)) yield
  }
  text.add('\n')
}

function written(cell: JsonValue | undefined, { delimiter }: CsvStyle): string {
  if (cell === undefined || cell === null) return ''
  const text = typeof cell === 'string' ? cell : writeJson(cell)
  return needsQuotes(text, delimiter) ? `"${text.replaceAll('"', '""')}"` : text
}

function needsQuotes(text: string, delimiter: string): boolean {
  return text.includes(delimiter) || /["\r\n]/.test(text) || text.trim().length < text.length
}
