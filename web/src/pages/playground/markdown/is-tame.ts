/**
 * Whether Markdown can be made of a text within a few milliseconds. Whoever sends a payload chooses the text, and there
 * are short ones that keep the parser busy for seconds, or grow to a hundred thousand cells: those stay plain text.
 * The limits were found with random texts of such marks: none takes more than a few tenths of a second, and half of them
 * less than a fiftieth. Ordinary texts are far below all of them.
 */
const MOST_CHARACTERS = 12_000
const MOST_LINES = 500
const MOST_BRACKETS = 400
const MOST_TAGS = 200
const MOST_MARKS = 800
const MOST_CELLS = 5000
const DEEPEST_PREFIX = 60

export function isTame(text: string): boolean {
  if (text.length > MOST_CHARACTERS) return false
  // Every opening bracket is looked for in every one before it.
  if (count(text, /[[\]]/g) > MOST_BRACKETS) return false
  // What may begin a tag or a comment is followed to the end of the text.
  if (count(text, /</g) > MOST_TAGS) return false
  // Emphasis within emphasis, each level a call of its own.
  if (count(text, /[*_~]/g) > MOST_MARKS) return false
  const lines = text.split('\n')
  if (lines.length > MOST_LINES) return false
  // A row of a table is filled up to the width of its header.
  const widest = Math.max(...lines.map((line) => count(line, /\|/g)))
  if (widest * lines.length > MOST_CELLS) return false
  // Quotes and lists within one another: how deep is told by what stands before the words.
  return lines.every((line) => (/^[\s>*+\-\d.)]*/.exec(line)?.[0].length ?? 0) <= DEEPEST_PREFIX)
}

/** Whether it may take longer than a moment: a log of a hundred such texts is made one by one, between other work. */
export function isHeavy(text: string): boolean {
  return text.length > 1500 || count(text, /[[\]<*_~|`>\n]/g) > 200
}

function count(text: string, what: RegExp): number {
  let found = 0
  for (const _ of text.matchAll(what)) found++
  return found
}
