import type { JsonValue } from '../../../../src/flows/json/exact-json.ts'
import { type CodeCompletion, type CodeOption, glance, membersOf } from './members.ts'

const FUNCTIONS =
  'abs append average base64decode base64encode boolean ceil contains count distinct each error exists filter floor formatNumber fromMillis join keys length lookup lowercase map match max merge millis min not now number pad power reduce replace reverse round shuffle sift single sort split spread sqrt string substring substringAfter substringBefore sum toMillis trim type uppercase zip'

const FUNCTION_OPTIONS: readonly CodeOption[] = FUNCTIONS.split(' ').map((name) => ({
  label: `$${name}`,
  detail: 'function',
  insert: `$${name}(`
}))

const TOKEN =
  /"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|\/\*.*?(?:\*\/|$)|`[^`]*`|\$\$?[\p{L}\p{N}_]*|[\p{L}_][\p{L}\p{N}_]*|\d[\d.]*|\s+|./gsu
const WORDS_OF_LANGUAGE = new Set(['and', 'or', 'in', 'true', 'false', 'null', 'function'])
const PLAIN_NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u

/** What a name would be read from. */
interface Place {
  /** What names at this place read. */
  readonly context: JsonValue | undefined
  /** What the path that is being written has come to; undefined where none has begun. */
  readonly path: { readonly value: JsonValue | undefined } | undefined
  /** The path goes on: a dot was written. */
  readonly isBehindDot: boolean
}

/** What can stand at this place of an expression: keys of what is read there, and functions behind a `$`. */
export function completeJsonata(
  expression: string,
  at: number,
  data: JsonValue | undefined
): CodeCompletion | undefined {
  const before = expression.slice(0, at)
  const word = /(?:\$[\p{L}\p{N}_]*|[\p{L}_][\p{L}\p{N}_]*)?$/u.exec(before)?.[0] ?? ''
  const from = at - word.length
  const read = placeBehind(before.slice(0, from), data)
  if (read === undefined) return undefined
  if (word.startsWith('$')) return { from, options: FUNCTION_OPTIONS }
  if (word === '' && !read.isBehindDot) return undefined
  const options = keysOf(read.isBehindDot ? read.path?.value : read.context)
  return options.length === 0 ? undefined : { from, options }
}

function keysOf(value: JsonValue | undefined): readonly CodeOption[] {
  return [...membersOf(value)].map(([key, member]) => ({
    label: key,
    detail: glance(member),
    ...(PLAIN_NAME.test(key) && !WORDS_OF_LANGUAGE.has(key) ? {} : { insert: `\`${key}\`` })
  }))
}

/** Undefined inside of a text or a comment. */
function placeBehind(before: string, data: JsonValue | undefined): Place | undefined {
  let place: Place = { context: data, path: undefined, isBehindDot: false }
  const around: Place[] = []
  for (const [token] of before.matchAll(TOKEN)) {
    if (isOpenText(token)) return undefined
    if (/^(?:\s|\/\*)/u.test(token)) continue
    if ('([{'.includes(token)) {
      around.push(place)
      place = { context: contextInside(token, place), path: undefined, isBehindDot: false }
    } else if (')]}'.includes(token)) {
      const outer = around.pop()
      if (outer === undefined) return undefined
      place = behindGroup(token, outer)
    } else place = behindToken(token, place, data)
  }
  return place
}

function isOpenText(token: string): boolean {
  if (token.startsWith('/*')) return !token.endsWith('*/') || token.length < 4
  if (!/^["'`]/u.test(token)) return false
  return token.length < 2 || !token.endsWith(token[0]!)
}

/** `items[…]`, `items{…}`, `items.(…)` and `items^(…)` are about the items; other brackets change nothing. */
function contextInside(bracket: string, { context, path, isBehindDot }: Place): JsonValue | undefined {
  if (path === undefined || (bracket === '(' && !isBehindDot)) return context
  return path.value
}

/** A filter leaves what it is applied to; what other groups come to is not known. */
function behindGroup(bracket: string, outer: Place): Place {
  if (bracket === ']' && outer.path !== undefined) return { ...outer, isBehindDot: false }
  return { context: outer.context, path: { value: undefined }, isBehindDot: false }
}

function behindToken(token: string, place: Place, data: JsonValue | undefined): Place {
  const { context, path, isBehindDot } = place
  if (token === '.') return { context, path, isBehindDot: path !== undefined }
  // What is sorted stays what it is, and its order is about the items.
  if (token === '^') return { context, path, isBehindDot: path !== undefined }
  const isName = /^[\p{L}_`]/u.test(token) && !WORDS_OF_LANGUAGE.has(token)
  if (isName) {
    const owner = isBehindDot ? path?.value : context
    return { context, path: { value: readAll(owner, token.replaceAll('`', '')) }, isBehindDot: false }
  }
  if (token === '$') return { context, path: { value: context }, isBehindDot: false }
  if (token === '$$') return { context, path: { value: data }, isBehindDot: false }
  return { context, path: undefined, isBehindDot: false }
}

/** A path reads through lists: the key of all items. */
function readAll(owner: JsonValue | undefined, key: string): JsonValue | undefined {
  return membersOf(owner).get(key)
}
