import { type Paint, plain, type Tone } from './paint.ts'
import { cut, harmless, widthOf } from './width.ts'

export interface Column<Row> {
  readonly title: string
  readonly of: (row: Row) => string
  readonly tone?: (row: Row) => Tone | undefined
  readonly align?: 'right'
  /** It may be cut where the terminal is narrow; the others stay whole. */
  readonly shrinks?: boolean
}

interface Sheet {
  /** Null is as wide as the texts are: what is not read on a terminal is not cut. */
  readonly width: number | null
  readonly paint?: Paint
}

const GAP = '  '
const NARROWEST = 6

/** Rows below their titles. */
export function tableOf<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { width, paint = plain }: Sheet
): string {
  const texts = rows.map((row) => columns.map(({ of }) => harmless(of(row))))
  const widths = fitted(columns, naturalWidths(columns, texts), width)
  const line = (cells: readonly string[]) => cells.join(GAP).trimEnd()
  const head = line(columns.map((column, at) => paint('dim', pad(column, column.title, widths[at]!))))
  const body = rows.map((row, index) =>
    line(columns.map((column, at) => paint(column.tone?.(row), pad(column, texts[index]![at]!, widths[at]!))))
  )
  return [head, ...body].map((each) => `${each}\n`).join('')
}

/** Names with what belongs to them. */
export function listOf(
  entries: readonly (readonly [name: string, value: string])[],
  paint: Paint = plain
): string {
  const width = Math.max(...entries.map(([name]) => widthOf(name)))
  return entries.map(([name, value]) => `${paint('dim', name.padEnd(width))}${GAP}${value}\n`).join('')
}

function naturalWidths<Row>(
  columns: readonly Column<Row>[],
  texts: readonly (readonly string[])[]
): number[] {
  return columns.map(({ title }, at) =>
    texts.reduce((most, cells) => Math.max(most, widthOf(cells[at]!)), widthOf(title))
  )
}

/** Takes from the widest of those that may shrink, until all fit or none can give any more. */
function fitted<Row>(
  columns: readonly Column<Row>[],
  natural: readonly number[],
  width: number | null
): number[] {
  const widths = [...natural]
  if (width === null) return widths
  const room = width - GAP.length * (columns.length - 1)
  for (let excess = sum(widths) - room; excess > 0; excess--) {
    const widest = columns.reduce(
      (best, { shrinks }, at) =>
        shrinks === true && widths[at]! > NARROWEST && widths[at]! > (widths[best] ?? 0) ? at : best,
      -1
    )
    if (widest === -1) break
    widths[widest]!--
  }
  return widths
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

function pad({ align }: Pick<Column<never>, 'align'>, text: string, width: number): string {
  const shown = cut(text, width)
  const space = ' '.repeat(Math.max(0, width - widthOf(shown)))
  return align === 'right' ? space + shown : shown + space
}
