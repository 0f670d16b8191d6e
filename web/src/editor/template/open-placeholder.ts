import { scanTemplate } from '../../../../src/flows/template/scan-template.ts'

/** A placeholder that is open at the cursor, as far as its path is written. */
interface OpenPlaceholder {
  /** Where its `{` is. */
  readonly open: number
  /** The keys that are complete before the cursor. */
  readonly keys: readonly string[]
  /** Where the step that is being typed begins, with its dot or bracket, and where its key begins. */
  readonly stepFrom: number
  readonly keyFrom: number
  readonly isBracket: boolean
}

/** Undefined where the cursor stands in text, or behind the path: in a format or a fallback. */
export function openPlaceholder(source: string, cursor: number): OpenPlaceholder | undefined {
  const before = source.slice(0, cursor)
  // What is not closed before the cursor is a fault of the text before the cursor, and its last piece.
  const last = [...scanTemplate(before)].at(-1)
  if (last === undefined || last.kind !== 'fault' || last.to !== cursor || before[last.from] !== '{')
    return undefined
  if (before.endsWith('}')) return undefined
  return readSteps(before, last.from)
}

function readSteps(before: string, open: number): OpenPlaceholder | undefined {
  const keys: string[] = []
  let at = open + 1
  while (at < before.length && before[at]!.trim() === '') at++
  for (;;) {
    const isBracket = before[at] === '['
    const hasDot = !isBracket && keys.length > 0
    const keyFrom = isBracket || hasDot ? at + 1 : at
    const end = isBracket ? before.indexOf(']', keyFrom) : endOfName(before, keyFrom)
    if (end < 0) return { open, keys, stepFrom: at, keyFrom, isBracket }
    keys.push(before.slice(keyFrom, end))
    at = isBracket ? end + 1 : end
    if (before[at] !== '.' && before[at] !== '[') return undefined
  }
}

/** -1 when the name goes on to the cursor. */
function endOfName(before: string, from: number): number {
  const length = before.slice(from).search(/[.[:?{}]/)
  return length < 0 ? -1 : from + length
}
