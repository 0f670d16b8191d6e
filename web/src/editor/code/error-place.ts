/** A part of a text that is wrong. */
export interface ErrorPlace {
  readonly from: number
  readonly to: number
  readonly message: string
}

const PLACED = /^Line (\d+)(?:, column (\d+))?: (.*)$/s

/** Where in the code an error of its step is, by what the step's message begins with; lines and columns count from 1. */
export function errorPlace(message: string, code: string): ErrorPlace | undefined {
  const [, line, column, reason] = PLACED.exec(message) ?? []
  if (line === undefined || reason === undefined) return undefined
  const lines = code.split('\n')
  const row = Math.min(Math.max(Number(line), 1), lines.length) - 1
  const start = lines.slice(0, row).reduce((sum, { length }) => sum + length + 1, 0)
  const text = lines[row]!
  const end = start + text.length
  if (column === undefined || Number(line) > lines.length) {
    const margin = text.length - text.trimStart().length
    return { from: start + (text.trim() === '' ? 0 : margin), to: end, message: reason }
  }
  const from = Math.min(start + Math.max(Number(column), 1) - 1, end)
  const word = /^[\p{L}\p{N}_$]+/u.exec(code.slice(from, end))?.[0].length ?? 1
  // At the end of a line there is nothing to underline but what stands before it.
  return from === end
    ? { from: Math.max(from - 1, start), to: end, message: reason }
    : { from, to: Math.min(from + word, end), message: reason }
}
