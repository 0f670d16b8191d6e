import { type AnyNode, type Element, isTag } from 'domhandler'

/** A table with a line below its first row, as Markdown needs one. A table within a cell is text. */
export function markdownTable(table: Element, textOf: (cell: Element) => string): string {
  const rows = rowsIn(table).map((row) => cellsOf(row).map((cell) => textOf(cell).replaceAll('|', '\\|')))
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const [first, ...others] = rows
  if (first === undefined || width === 0) return ''
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, at) => cells[at] ?? '').join(' | ')} |`
  return [line(first), line(Array(width).fill('---')), ...others.map(line)].join('\n')
}

const PARTS = new Set(['thead', 'tbody', 'tfoot'])

function rowsIn({ children }: Element): Element[] {
  return children.flatMap((child: AnyNode) => {
    if (!isTag(child)) return []
    if (child.name === 'tr') return [child]
    return PARTS.has(child.name) ? rowsIn(child) : []
  })
}

function cellsOf({ children }: Element): Element[] {
  return children.filter(
    (child): child is Element => isTag(child) && (child.name === 'td' || child.name === 'th')
  )
}
