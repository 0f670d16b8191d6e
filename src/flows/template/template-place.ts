export interface Place {
  readonly line: number
  readonly column: number
}

/** Worked out only when an error needs it, so that compiling stays linear in the template's length. */
export function placeAt(source: string, offset: number): Place {
  const before = source.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: codePointCount(before.slice(lineStart)) + 1 }
}

export function printPlace(place: Place): string {
  return `line ${place.line}, column ${place.column}`
}

export function codePointCount(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
