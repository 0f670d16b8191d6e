/**
 * Whether Markdown can be made of a text within a few milliseconds. Whoever sends a payload chooses the text, and there
 * are short ones that keep the parser busy for seconds, or grow to a hundred thousand cells: those stay plain text.
 * Each limit was measured to hold the time of its kind down; ordinary texts are far below all of them.
 */
export const MOST_CHARACTERS = 20_000
const MOST_BRACKETS = 400
const MOST_MARKS = 2000
const MOST_CELLS = 5000
const DEEPEST_PREFIX = 60

export function isTame(text: string): boolean {
  if (text.length > MOST_CHARACTERS) return false
  // Every opening bracket is looked for in every one before it.
  if (count(text, /[[\]]/g) > MOST_BRACKETS) return false
  // Emphasis within emphasis, each level a call of its own.
  if (count(text, /[*_~]/g) > MOST_MARKS) return false
  const lines = text.split('\n')
  // A row of a table is filled up to the width of its header.
  const widest = Math.max(...lines.map((line) => count(line, /\|/g)))
  if (widest * lines.length > MOST_CELLS) return false
  // Quotes and lists within one another: how deep is told by what stands before the words.
  return lines.every((line) => (/^[\s>*+\-\d.)]*/.exec(line)?.[0].length ?? 0) <= DEEPEST_PREFIX)
}

function count(text: string, what: RegExp): number {
  let found = 0
  for (const _ of text.matchAll(what)) found++
  return found
}
