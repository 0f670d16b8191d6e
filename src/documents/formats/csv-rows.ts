const DELIMITERS = [',', ';', '\t', '|']
/** In characters: a first line is seldom longer. */
const LONGEST_HEAD = 256 * 1024

/** Written for Excel, which does not show it: what splits the cells of all lines below. */
const SEPARATOR_LINE = /^"?sep=([^"\r\n])"?(?:\r\n|[\r\n]|$)/i

/** The cells of CSV, line by line, as texts; the delimiter is as the text says, else the one that the first line has most of. */
export function csvRows(text: string, given?: string): string[][] {
  const [line, said] = SEPARATOR_LINE.exec(text) ?? ['']
  const delimiter = given ?? said ?? delimiterOf(text)
  const rows: string[][] = []
  let row: string[] = []
  let at = line.length
  while (at < text.length) {
    const isQuoted = text[at] === '"'
    const { cell, end } = isQuoted ? quotedAt(text, at, delimiter) : plainAt(text, at, delimiter)
    row.push(cell)
    at = end
    if (text[at] === delimiter) {
      at += 1
      if (at === text.length) row.push('')
      continue
    }
    if (text[at] === '\r') at += 1
    if (text[at] === '\n') at += 1
    if (!isEmptyLine(row, isQuoted)) rows.push(row)
    row = []
  }
  if (row.length > 0) rows.push(row)
  return rows
}

/** An empty cell in quotes is a row of its own. */
function isEmptyLine([cell, ...others]: readonly string[], isQuoted: boolean): boolean {
  return cell === '' && others.length === 0 && !isQuoted
}

/** At the beginning of a cell; one that stands in its midst is what it is. */
const QUOTED = /(?<=^|[,;\t|\n\r])"(?:[^"]|"")*"/g

function delimiterOf(text: string): string {
  const [first = ''] = text
    .slice(0, LONGEST_HEAD)
    .replaceAll(QUOTED, '')
    .split(/[\r\n]/, 1)
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
