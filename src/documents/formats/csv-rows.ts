const DELIMITERS = [',', ';', '\t', '|']

/** The cells of CSV, line by line, as texts; the delimiter is the one that the first line has most of. */
export function csvRows(text: string, given?: string): string[][] {
  const delimiter = given ?? delimiterOf(text)
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    const { cell, end } = text[at] === '"' ? quotedAt(text, at, delimiter) : plainAt(text, at, delimiter)
    row.push(cell)
    at = end
    if (text[at] === delimiter) {
      at += 1
      if (at === text.length) row.push('')
      continue
    }
    if (text[at] === '\r') at += 1
    if (text[at] === '\n') at += 1
    rows.push(row)
    row = []
  }
  if (row.length > 0) rows.push(row)
  return rows.filter((cells) => cells.length > 1 || cells[0] !== '')
}

function delimiterOf(text: string): string {
  const end = text.indexOf('\n')
  const first = end === -1 ? text : text.slice(0, end)
  const count = (delimiter: string) => first.split(delimiter).length
  return DELIMITERS.reduce((best, next) => (count(next) > count(best) ? next : best))
}

interface Cell {
  readonly cell: string
  readonly end: number
}

function plainAt(text: string, from: number, delimiter: string): Cell {
  let end = from
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end += 1
  return { cell: text.slice(from, end), end }
}

/** One that is never closed goes on to the end; what stands behind a closed one belongs to it. */
function quotedAt(text: string, from: number, delimiter: string): Cell {
  let cell = ''
  let at = from + 1
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote === -1) return { cell: cell + text.slice(at), end: text.length }
    cell += text.slice(at, quote)
    if (text[quote + 1] !== '"') {
      const behind = plainAt(text, quote + 1, delimiter)
      return { cell: cell + behind.cell, end: behind.end }
    }
    cell += '"'
    at = quote + 2
  }
}
