const OPEN = '([{'
const CLOSE = ')]}'
/** What ends a path at its own level. A path goes on after its brackets, whatever stands in them. */
const ENDS = ',;:?=+-/&<>|~!'
const QUOTES = '"\'`'

/**
 * How many steps the longest path of an expression in JSONata has: its reader takes the square of that, 0.7 s for 4,000. At least
 * so many: what only looks like a step, as in a pattern, counts.
 */
export function longestPath(text: string): number {
  let longest = 0
  let steps = 0
  const around: number[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (character === '.') steps += 1
    else if (OPEN.includes(character)) {
      // `a[0][0]`: each is a step of the path that it stands after.
      around.push(steps + 1)
      steps = 0
    } else if (CLOSE.includes(character)) steps = around.pop() ?? 0
    else if (ENDS.includes(character)) steps = 0
    else if (QUOTES.includes(character)) at = endOfQuoted(text, at)
    longest = Math.max(longest, steps)
  }
  return longest
}

function endOfQuoted(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1
    else if (text[at] === text[open]) return at
  }
  return text.length
}
