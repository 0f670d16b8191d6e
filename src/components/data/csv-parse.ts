import { type JsonValue, StepError, type Turns, WorkMeter } from '../../plugin-api.ts'
import { exactNumber } from './number-of.ts'

export interface CsvRules {
  /** Undefined: as the text says, else found out from the first line. */
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
  /** In characters. */
  readonly length: number
  /** Of one cell that is quoted it is a row, however empty. */
  readonly isEmpty: boolean
}

const DELIMITERS = [',', ';', '\t', '|'] as const

/** Written for Excel, which does not show it: what splits the cells of all lines below. */
const SEPARATOR_LINE = /^"?sep=([^"\r\n])"?(?:\r\n|[\r\n]|$)/i

/** As many as a sheet of Excel has. */
export const MOST_COLUMNS = 16_384

/** What the rows take as JSON is more than the step may put out. */
export class CsvTooLong extends Error {
  override readonly name = 'CsvTooLong'
}

/**
 * The rows of a text in CSV (RFC 4180), which may take `limit` characters as JSON: short rows below a long header take many
 * times what was sent. Throws a StepError that names the line, or CsvTooLong.
 */
export function* parseCsv(text: string, rules: CsvRules, limit: number): Turns<JsonValue[]> {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text
  refuseOthers(source)
  const reader = recordsOf(source, rules.delimiter)
  const work = new WorkMeter()
  const rows: JsonValue[] = []
  let names: ColumnNames | undefined
  let length = 0
  while (!reader.isAtEnd) {
    const record = reader.next()
    // A line that is empty is left out, and takes as long as any other short one.
    if (work.isTurnOver(record.length + WORK_PER_RECORD)) yield
    if (record.isEmpty) continue
    if (rules.hasHeader && names === undefined) {
      names = columnNames(record)
      continue
    }
    const cells = names?.cellsOf(record, rules.allowsUneven) ?? record.cells
    length += record.length + cells.length * LENGTH_PER_CELL + (names?.length ?? 0)
    if (length > limit) throw new CsvTooLong()
    if (work.isTurnOver(cells.length * WORK_PER_CELL)) yield
    rows.push(rowOf(cells, names?.names, rules.isTyped ? typedCell : plainCell))
  }
  if (rules.hasHeader && names === undefined)
    throw csvError('It is empty, and its first line should name the columns.')
  return rows
}

function recordsOf(text: string, given: string | undefined): RecordReader {
  const [line, said] = SEPARATOR_LINE.exec(text) ?? ['']
  return new RecordReader(text, given ?? said ?? likelyDelimiter(text), line.length)
}

/** Quotes around a name, colon and comma. */
const LENGTH_PER_CELL = 4
/** In characters that are looked at. */
const WORK_PER_RECORD = 32
const WORK_PER_CELL = 8

function rowOf(
  cells: readonly string[],
  names: readonly string[] | undefined,
  cellOf: (cell: string) => JsonValue
): JsonValue {
  if (names === undefined) return cells.map(cellOf)
  return Object.fromEntries(cells.map((cell, at) => [names[at] ?? nameOfPlace(at), cellOf(cell)]))
}

interface ColumnNames {
  readonly names: readonly string[]
  /** Of all names, in characters. */
  readonly length: number
  /** One for each name, and more where the row has more. */
  cellsOf(record: CsvRecord, allowsUneven: boolean): readonly string[]
}

function columnNames({ cells }: CsvRecord): ColumnNames {
  const names = uniqueNames(cells)
  return {
    names,
    length: names.reduce((sum, name) => sum + name.length, 0),
    cellsOf: ({ cells, line }, allowsUneven) => {
      if (cells.length === names.length) return cells
      if (!allowsUneven) throw uneven(cells.length, names.length, line)
      return cells.length > names.length ? cells : [...cells, ...names.slice(cells.length).fill('')]
    }
  }
}

/** Each a name of its own: an empty one is called by its place, one that is there already gets a number. */
function uniqueNames(cells: readonly string[]): string[] {
  const taken = new Set<string>()
  // Where the search for the next number goes on: from 2 each time, equal names would take the cube of their number.
  const counts = new Map<string, number>()
  return cells.map((cell, at) => {
    const name = cell.trim() || nameOfPlace(at)
    let free = name
    let count = counts.get(name) ?? 1
    while (taken.has(free)) free = `${name}_${++count}`
    counts.set(name, count)
    taken.add(free)
    return free
  })
}

function nameOfPlace(at: number): string {
  return `column_${at + 1}`
}

function plainCell(cell: string): string {
  return cell
}

/** As written, so that ids such as 007 and 1E5 stay texts. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

function typedCell(cell: string): JsonValue {
  if (cell === '') return null
  return NUMBER.test(cell) ? exactNumber(cell) : cell
}

class RecordReader {
  readonly #text: string
  readonly #delimiter: string
  #at: number
  #line: number

  /** `from` is 0, or where the line ends that names the delimiter. */
  constructor(text: string, delimiter: string, from: number) {
    this.#text = text
    this.#delimiter = delimiter
    this.#at = from
    this.#line = from === 0 ? 1 : 2
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  next(): CsvRecord {
    const line = this.#line
    const start = this.#at
    const cells: string[] = []
    do {
      if (cells.length === MOST_COLUMNS) throw csvError(`It has more than ${MOST_COLUMNS} cells.`, line)
      cells.push(this.#text[this.#at] === '"' ? this.#quotedCell(cells.length + 1) : this.#plainCell())
    } while (this.#passes(this.#delimiter))
    this.#passLineEnd()
    const isEmpty = cells.length === 1 && cells[0] === '' && this.#text[start] !== '"'
    return { cells, line, length: this.#at - start, isEmpty }
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
    this.#line += lineEndsIn(cell)
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

/** Counted: a list of them may be a million long. */
function lineEndsIn(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) count++
  }
  return count
}

/** In characters: of a first line that is longer, the beginning tells. */
const LOOKED_AT = 64 * 1024

/** The one that the first line has most of, outside of quotes. */
function likelyDelimiter(text: string): string {
  const counts = DELIMITERS.map(() => 0)
  let isQuoted = false
  let before = '\n'
  for (const character of text.slice(0, LOOKED_AT)) {
    if (character === '"') isQuoted = !isQuoted && BEFORE_QUOTES.has(before)
    before = character
    if (isQuoted) continue
    if (character === '\n' || character === '\r') break
    const which = DELIMITERS.indexOf(character as (typeof DELIMITERS)[number])
    if (which >= 0) counts[which]!++
  }
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!
}

/** A quoted cell begins after one of these; the second of two quotes in a cell goes on with it. */
const BEFORE_QUOTES = new Set<string>([...DELIMITERS, '\n', '"'])

/** Any text is CSV of one column; these are meant to be something else. */
function refuseOthers(text: string): void {
  if (text.includes('\u0000'))
    throw csvError('It has characters that are not text, as Excel files do. Save it as CSV.')
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
  return new StepError(`This CSV cannot be read. ${where}${problem}`, {
    code: 'invalid_csv',
    retryable: false
  })
}
