import { type JsonValue, StepError } from '../../plugin-api.ts'
import { exactNumber } from './number-of.ts'

export interface CsvRules {
  /** Undefined: found out from the first line. */
  readonly delimiter: string | undefined
  /** The first record names the columns; otherwise rows are lists. */
  readonly hasHeader: boolean
  /** Numbers become numbers and empty cells null; otherwise all cells are texts. */
  readonly isTyped: boolean
  /** Rows with fewer or more cells than the header are taken as they are. */
  readonly allowsUneven: boolean
}

interface CsvRecord {
  readonly cells: readonly string[]
  /** Where it begins, from 1. */
  readonly line: number
}

const DELIMITERS = [',', ';', '\t', '|'] as const

/** The rows of a text in CSV (RFC 4180), one after the other. Throws a StepError that names the line. */
export function* parseCsv(text: string, rules: CsvRules): Generator<JsonValue, void, void> {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text
  refuseOthers(source)
  const records = readRecords(source, rules.delimiter ?? likelyDelimiter(source))
  const cellOf = rules.isTyped ? typedCell : (cell: string) => cell
  if (!rules.hasHeader) {
    for (const { cells } of records) yield cells.map(cellOf)
    return
  }
  const header = records.next()
  if (header.done === true) throw csvError('It is empty, and its first line should name the columns.')
  const names = columnNames(header.value.cells)
  for (const record of records) yield rowOf(record, names, cellOf, rules.allowsUneven)
}

function rowOf(
  { cells, line }: CsvRecord,
  names: readonly string[],
  cellOf: (cell: string) => JsonValue,
  allowsUneven: boolean
): JsonValue {
  if (cells.length !== names.length && !allowsUneven) throw uneven(cells.length, names.length, line)
  const length = Math.max(cells.length, names.length)
  return Object.fromEntries(
    Array.from({ length }, (_, at) => [names[at] ?? `column_${at + 1}`, cellOf(cells[at] ?? '')])
  )
}

/** Each a name of its own: an empty one is called by its place, one that is there already gets a number. */
function columnNames(cells: readonly string[]): string[] {
  const names: string[] = []
  for (const [at, cell] of cells.entries()) {
    const name = cell.trim() || `column_${at + 1}`
    let free = name
    for (let count = 2; names.includes(free); count++) free = `${name}_${count}`
    names.push(free)
  }
  return names
}

/** As written, so that ids such as 007 and 1E5 stay texts. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

function typedCell(cell: string): JsonValue {
  if (cell === '') return null
  return NUMBER.test(cell) ? exactNumber(cell) : cell
}

/** Lines that are empty are left out. */
function* readRecords(text: string, delimiter: string): Generator<CsvRecord, void, void> {
  const reader = new RecordReader(text, delimiter)
  while (!reader.isAtEnd) {
    const record = reader.next()
    if (record.cells.length > 1 || record.cells[0] !== '') yield record
  }
}

class RecordReader {
  readonly #text: string
  readonly #delimiter: string
  #at = 0
  #line = 1

  constructor(text: string, delimiter: string) {
    this.#text = text
    this.#delimiter = delimiter
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  next(): CsvRecord {
    const line = this.#line
    const cells: string[] = []
    do cells.push(this.#text[this.#at] === '"' ? this.#quotedCell(cells.length + 1) : this.#plainCell())
    while (this.#passes(this.#delimiter))
    this.#passLineEnd()
    return { cells, line }
  }

  /** Quotes inside are what they are: 12" pipe. */
  #plainCell(): string {
    const start = this.#at
    let end = start
    for (; end < this.#text.length; end++) {
      const character = this.#text[end]!
      if (character === '\n' || character === '\r' || character === this.#delimiter) break
    }
    this.#at = end
    return this.#text.slice(start, end)
  }

  #quotedCell(column: number): string {
    const begun = this.#line
    const open = this.#at
    let close = this.#text.indexOf('"', open + 1)
    while (close >= 0 && this.#text[close + 1] === '"') close = this.#text.indexOf('"', close + 2)
    if (close < 0) throw csvError(`The quote at the beginning of column ${column} is never closed.`, begun)
    const cell = this.#text.slice(open + 1, close)
    this.#line += cell.split(/\r\n|\n|\r/).length - 1
    this.#at = close + 1
    const after = this.#text[this.#at]
    if (after !== undefined && after !== this.#delimiter && after !== '\n' && after !== '\r')
      throw csvError(
        `After the closing quote of column ${column} comes ${JSON.stringify(after)}. Quotes inside of a quoted cell are doubled: "".`,
        this.#line
      )
    return cell.replaceAll('""', '"')
  }

  #passes(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }

  #passLineEnd(): void {
    if (this.isAtEnd) return
    this.#passes('\r')
    this.#passes('\n')
    this.#line++
  }
}

/** The one that the first line has most of, outside of quotes. */
function likelyDelimiter(text: string): string {
  const first = text.replace(/"(?:[^"]|"")*"/g, '').split(/[\r\n]/, 1)[0]!
  const counts = DELIMITERS.map((delimiter) => first.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!
}

/** Any text is CSV of one column; these are meant to be something else. */
function refuseOthers(text: string): void {
  if (text.includes('\u0000'))
    throw csvError('It has characters that are no text, as files of Excel have. Save it as CSV.')
  const begin = text.trimStart().slice(0, 1)
  if (begin === '{' || begin === '[') throw csvError('It looks like JSON. Choose "JSON to data" for that.')
  if (begin === '<') throw csvError('It looks like HTML or XML. Look at what was sent.')
}

function uneven(cells: number, names: number, line: number): StepError {
  return csvError(
    `It has ${cells} cells, and the header ${names}. Look at its delimiters and quotes, or allow uneven rows.`,
    line
  )
}

function csvError(problem: string, line?: number): StepError {
  const where = line === undefined ? '' : `Line ${line}: `
  return new StepError(`This is no CSV that can be read. ${where}${problem}`, {
    code: 'invalid_csv',
    retryable: false
  })
}
