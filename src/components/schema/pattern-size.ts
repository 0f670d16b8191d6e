/** What a repetition without an end counts as. */
const ENDLESS = 2

/**
 * How many parts a pattern has when its repetitions are written out, as RE2 does it: `(a{10}b){3}` has 33. An estimate that
 * takes one pass, made before the pattern is compiled.
 */
export function patternSize(pattern: string): number {
  const outer: number[] = []
  let size = 0
  let last = 0
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at]!
    if (character === '(') {
      outer.push(size)
      size = 0
      last = 0
    } else if (character === ')') {
      last = size + 1
      size = (outer.pop() ?? 0) + last
    } else {
      const times = repetition(pattern, at)
      if (times === undefined) {
        at = endOfAtom(pattern, at)
        last = 1
        size += last
      } else {
        size += last * (times.count - 1)
        last *= times.count
        at = times.end
      }
    }
  }
  return outer.reduce((sum, each) => sum + each, size)
}

const COUNTED = /\{(\d{1,6})(?:(,)(\d{0,6}))?\}/y

function repetition(
  pattern: string,
  at: number
): { readonly count: number; readonly end: number } | undefined {
  const character = pattern[at]!
  if (character === '*' || character === '+' || character === '?') return { count: ENDLESS, end: at }
  if (character !== '{') return undefined
  COUNTED.lastIndex = at
  const [written, least, comma, most] = COUNTED.exec(pattern) ?? []
  if (written === undefined) return undefined
  const count = comma === undefined || most ? Number(most || least) : Number(least) + 1
  return { count: Math.max(count, 1), end: at + written.length - 1 }
}

/** Of an escape or a class, which may hold brackets of all kinds. */
function endOfAtom(pattern: string, at: number): number {
  if (pattern[at] === '\\') return /[pP]/.test(pattern[at + 1] ?? '') ? endOfProperty(pattern, at) : at + 1
  if (pattern[at] !== '[') return at
  let end = at + 1
  if (pattern[end] === '^') end++
  if (pattern[end] === ']') end++
  for (; end < pattern.length && pattern[end] !== ']'; end++) if (pattern[end] === '\\') end++
  return end
}

/** `\p{Greek}` */
function endOfProperty(pattern: string, at: number): number {
  if (pattern[at + 2] !== '{') return at + 2
  const close = pattern.indexOf('}', at)
  return close < 0 || close - at > 64 ? at + 2 : close
}
