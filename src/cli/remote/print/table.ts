import { type Paint, plain, type Tone } from './paint.ts'
import { cut, harmless, widthOf } from './width.ts'

export interface Column<Row> {
  readonly title: string
  readonly of: (row: Row) => string
  readonly tone?: (row: Row) => Tone | undefined
  readonly align?: 'right'
  /** It may be cut where the terminal is narrow; the others stay whole. */
  readonly shrinks?: boolean
  /** It is left out where not even that is enough: the lowest number first. */
  readonly leaves?: number
}

interface Sheet {
  /** Null is as wide as the texts are: what is not read on a terminal is not cut. */
  readonly width: number | null
  readonly paint?: Paint
}

interface Laid<Row> {
  readonly column: Column<Row>
  readonly texts: readonly string[]
  /** Of the longest text. */
  readonly natural: number
}

const GAP = '  '
/** Less of a text than this tells nothing. */
const NARROWEST = 10

/** Rows below their titles. */
export function tableOf<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { width, paint = plain }: Sheet
): string {
  const laid = columns.map((column) => lay(column, rows))
  const shown = width === null ? laid : keptIn(laid, width)
  const widths = width === null ? shown.map(({ natural }) => natural) : fitted(shown, width)
  const line = (cells: readonly string[]) => `${cells.join(GAP).trimEnd()}\n`
  const head = line(shown.map(({ column }, at) => cell(column, column.title, widths[at]!, 'dim', paint)))
  const body = rows.map((row, index) =>
    line(
      shown.map(({ column, texts }, at) =>
        cell(column, texts[index]!, widths[at]!, column.tone?.(row), paint)
      )
    )
  )
  return [head, ...body].join('')
}

/** Names with what belongs to them. */
export function listOf(
  entries: readonly (readonly [name: string, value: string])[],
  paint: Paint = plain
): string {
  const width = Math.max(...entries.map(([name]) => widthOf(name)))
  return entries
    .map(([name, value]) => `${paint('dim', name)}${' '.repeat(width - widthOf(name))}${GAP}${value}\n`)
    .join('')
}

function lay<Row>(column: Column<Row>, rows: readonly Row[]): Laid<Row> {
  const texts = rows.map((row) => harmless(column.of(row)))
  const natural = texts.reduce((most, text) => Math.max(most, widthOf(text)), widthOf(column.title))
  return { column, texts, natural }
}

/** Those that have a place when each that shrinks has shrunk. */
function keptIn<Row>(laid: readonly Laid<Row>[], width: number): readonly Laid<Row>[] {
  let kept = laid
  for (;;) {
    if (sum(kept.map(leastOf)) + gapsOf(kept) <= width) return kept
    const leaving = kept.filter(({ column }) => column.leaves !== undefined)
    if (leaving.length === 0) return kept
    const first = leaving.reduce((best, each) => (each.column.leaves! < best.column.leaves! ? each : best))
    kept = kept.filter((each) => each !== first)
  }
}

/** Takes from the widest of those that may shrink, until all fit or none can give any more. */
function fitted<Row>(laid: readonly Laid<Row>[], width: number): number[] {
  const widths = laid.map(({ natural }) => natural)
  for (let excess = sum(widths) + gapsOf(laid) - width; excess > 0; excess--) {
    let widest = -1
    for (const [at, { column }] of laid.entries())
      if (column.shrinks === true && widths[at]! > (widths[widest] ?? 1)) widest = at
    if (widest === -1) break
    widths[widest]!--
  }
  return widths
}

function leastOf<Row>({ column, natural }: Laid<Row>): number {
  return column.shrinks === true ? Math.min(natural, NARROWEST) : natural
}

function gapsOf(laid: readonly unknown[]): number {
  return GAP.length * (laid.length - 1)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

function cell<Row>(
  { align }: Column<Row>,
  text: string,
  width: number,
  tone: Tone | undefined,
  paint: Paint
): string {
  const shown = cut(text, width)
  const space = ' '.repeat(Math.max(0, width - widthOf(shown)))
  return align === 'right' ? space + paint(tone, shown) : paint(tone, shown) + space
}
