import { isPlainObject, type JsonValue, StepError, writeJson } from '../../plugin-api.ts'
import { describe } from './describe.ts'

export interface CsvStyle {
  readonly delimiter: string
  readonly hasHeader: boolean
  /** Marks the text as UTF-8 for programs that ask for it, such as Excel. */
  readonly hasMark: boolean
}

/** The text of rows, in pieces: objects, whose keys are the columns in the order in which they first came, or lists. */
export function* writeCsv(rows: readonly JsonValue[], style: CsvStyle): Generator<string, void, void> {
  const columns = columnsOf(rows)
  const line = (cells: readonly (JsonValue | undefined)[]) =>
    `${cells.map((cell) => written(cell, style)).join(style.delimiter)}\n`
  if (style.hasMark) yield '\uFEFF'
  if (style.hasHeader && columns.length > 0) yield line(columns)
  for (const [place, row] of rows.entries()) yield line(cellsOf(row, columns, place))
}

function columnsOf(rows: readonly JsonValue[]): string[] {
  const columns = new Set<string>()
  for (const row of rows) if (isPlainObject(row)) for (const name of Object.keys(row)) columns.add(name)
  return [...columns]
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

function written(cell: JsonValue | undefined, { delimiter }: CsvStyle): string {
  if (cell === undefined || cell === null) return ''
  const text = typeof cell === 'string' ? cell : writeJson(cell)
  const needsQuotes = text.includes(delimiter) || /["\r\n]|^\s|\s$/.test(text)
  return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text
}
