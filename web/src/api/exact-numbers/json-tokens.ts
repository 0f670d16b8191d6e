/** In the page's place of the file of this name in src/flows/json: see read-exactly.ts. */

/** What JavaScript might print differently. Where it is wrong about a text, that one is read more slowly. */
const MAY_BE_INEXACT = /-0|\d[eE]|[\d.]{16}|\.\d*0(?!\d)|0\.000000/
// Apart from each other: one pattern for both would need room for each character of a long text.
const ESCAPES = /\\./gs
const STRINGS = /"[^"]*"?/g

export function lookOf(text: string, maxDepth: number): 'deep' | 'exact' | 'plain' {
  if (isDeeper(text, maxDepth)) return 'deep'
  return MAY_BE_INEXACT.test(text) ? 'exact' : 'plain'
}

export function isDeeper(text: string, maxDepth: number): boolean {
  // Every level takes an opening and a closing character.
  if (text.length <= 2 * maxDepth) return false
  let depth = 0
  for (const sign of text
    .replace(ESCAPES, '')
    .replace(STRINGS, '')
    .replace(/[^[\]{}]/g, '')) {
    depth += sign === '[' || sign === '{' ? 1 : -1
    if (depth > maxDepth) return true
  }
  return false
}
