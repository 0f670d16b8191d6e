import { ExactNumber, MAX_DEPTH, writeJson } from './exact-json.ts'

/**
 * In characters. What is printed at once takes a fraction of a millisecond; smaller pieces would cost more calls than
 * they save waiting.
 */
const PIECE = 16 * 1024

/** In characters. What is longer is looked at, printed and stored in pieces. */
const LONG = 64 * 1024

/** About so many characters of JSON, where it is not long. What is nested too deep to be stored is not: it is refused. */
export function shortWeight(value: unknown): number | undefined {
  const weight = typeof value === 'string' ? value.length : weigh(value, LONG)
  return weight > LONG && weight !== Number.POSITIVE_INFINITY ? undefined : weight
}

export function isLong(value: unknown): boolean {
  return shortWeight(value) === undefined
}

interface JsonPiecesOptions<W extends object> {
  readonly indent?: number
  readonly maxDepth?: number
  /** What is handed out as it is, in its place among the texts: whoever writes them knows how to print it. */
  readonly isWhole?: (value: object) => value is W
}

/** A list or an object that is being written, member by member. */
interface Open {
  readonly container: object
  /** Names of the members; null for a list. */
  readonly keys: readonly string[] | null
  readonly length: number
  at: number
  isEmpty: boolean
}

/**
 * The text that writeJson gives, in pieces: `JSON.stringify` of megabytes holds the thread for as long as it takes.
 * What is small is still printed by it, so this is about as fast.
 */
export function* jsonPieces<W extends object = never>(
  value: unknown,
  options: JsonPiecesOptions<W> = {}
): Generator<string | W, void> {
  const { indent = 0 } = options
  const open: Open[] = []
  let text = ''
  for (let next: Member | undefined = { kind: 'value', text: '', value }; next !== undefined; ) {
    text += next.text
    if (next.kind === 'value') text = yield* valuePieces(next.value, text, open, options)
    text += lightItems(open, options)
    next = nextMember(open, indent)
  }
  if (text !== '') yield text
}

/** Prints a value, or begins to where it has many members. Returns what is printed and not yet handed out. */
function* valuePieces<W extends object>(
  value: unknown,
  before: string,
  open: Open[],
  { indent = 0, maxDepth = MAX_DEPTH, isWhole }: JsonPiecesOptions<W>
): Generator<string | W, string> {
  if (typeof value === 'string' && value.length > PIECE) {
    yield before
    yield* quotedPieces(value)
    return ''
  }
  if (isObject(value) && isWhole?.(value)) {
    yield before
    yield value
    return ''
  }
  if (isHeavy(value, isWhole)) {
    if (open.length >= maxDepth) throw refusal(`it is nested deeper than ${maxDepth} levels`)
    if (open.some(({ container }) => container === value)) throw refusal('it contains itself')
    open.push(opened(value))
    yield `${before}${Array.isArray(value) ? '[' : '{'}`
    return ''
  }
  const text = before + indented(writeJson(value, indent, maxDepth, open.length), indent, open.length)
  if (text.length <= PIECE) return text
  yield text
  return ''
}

/**
 * About as many characters as the value has as JSON; as soon as it is known to have more than `most`, any number that is
 * larger. What `isWhole` names counts as more than anything.
 */
export function weigh(value: unknown, most: number, isWhole?: (value: object) => boolean, depth = 0): number {
  if (typeof value === 'string') return value.length + 2
  if (!isObject(value)) return 8
  if (value instanceof ExactNumber) return value.source.length
  if (isWhole?.(value) || depth > MAX_DEPTH) return Number.POSITIVE_INFINITY
  if (!isContainer(value)) return 32
  return Array.isArray(value)
    ? weighItems(value, most, isWhole, depth + 1)
    : weighMembers(value as Record<string, unknown>, most, isWhole, depth + 1)
}

function weighItems(
  items: readonly unknown[],
  most: number,
  isWhole: ((value: object) => boolean) | undefined,
  depth: number
): number {
  let sum = 2
  for (let at = 0; at < items.length && sum <= most; at++)
    sum += 1 + weigh(items[at], most - sum, isWhole, depth)
  return sum
}

function weighMembers(
  members: Readonly<Record<string, unknown>>,
  most: number,
  isWhole: ((value: object) => boolean) | undefined,
  depth: number
): number {
  let sum = 2
  for (const key in members) {
    sum += 4 + key.length + weigh(members[key], most - sum, isWhole, depth)
    if (sum > most) break
  }
  return sum
}

/** A text as JSON, in pieces that join to what JSON.stringify gives. */
export function* quotedPieces(text: string): Generator<string, void> {
  yield '"'
  for (let from = 0; from < text.length; ) {
    const to = cutBefore(text, from + PIECE)
    yield JSON.stringify(text.slice(from, to)).slice(1, -1)
    from = to
  }
  yield '"'
}

/** The two halves of a character beyond U+FFFF stay together: apart, each would be printed as an escape. */
function cutBefore(text: string, at: number): number {
  if (at >= text.length) return text.length
  const code = text.charCodeAt(at - 1)
  return code >= 0xd800 && code <= 0xdbff ? at - 1 : at
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isHeavy(value: unknown, isWhole?: (value: object) => boolean): value is object {
  return isObject(value) && isContainer(value) && weigh(value, PIECE, isWhole) > PIECE
}

/** JSON.stringify goes through its members one by one; anything else it prints in a way of its own. */
function isContainer(value: object): boolean {
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return false
  if (Array.isArray(value)) return true
  return !(value instanceof String || value instanceof Number || value instanceof Boolean || isRaw(value))
}

function isRaw(value: object): boolean {
  return (JSON as unknown as { isRawJSON(value: unknown): boolean }).isRawJSON(value)
}

function opened(container: object): Open {
  const keys = Array.isArray(container) ? null : Object.keys(container)
  const { length } = keys ?? (container as readonly unknown[])
  return { container, keys, length, at: 0, isEmpty: true }
}

/** As many items of a list as are printed at once: one by one they would take four times as long. */
function lightItems<W extends object>(
  open: readonly Open[],
  { indent = 0, maxDepth = MAX_DEPTH, isWhole }: JsonPiecesOptions<W>
): string {
  const innermost = open.at(-1)
  if (innermost === undefined || innermost.keys !== null) return ''
  const items = innermost.container as readonly unknown[]
  const from = innermost.at
  let weight = 0
  let to = from
  for (; to < items.length && weight < PIECE; to++) {
    weight += weigh(items[to], PIECE, isWhole)
    if (weight > PIECE) break
  }
  if (to === from) return ''
  const comma = innermost.isEmpty ? '' : ','
  innermost.at = to
  innermost.isEmpty = false
  const chosen = items.slice(from, to)
  if (indent === 0 && chosen.every((item) => item instanceof ExactNumber)) return comma + chosen.join(',')
  // The brackets around them, and the level that they are worth, are those of the whole list.
  const text = writeJson(chosen, indent, maxDepth, open.length - 1)
  const inside = text.slice(1, indent === 0 ? -1 : -2)
  return comma + indented(inside, indent, open.length - 1)
}

type Member =
  | { readonly kind: 'value'; readonly text: string; readonly value: unknown }
  | { readonly kind: 'close'; readonly text: string }

/** What comes before the next value, or the end of the innermost container; undefined when all is written. */
function nextMember(open: Open[], indent: number): Member | undefined {
  const innermost = open.at(-1)
  if (innermost === undefined) return undefined
  const { container, keys, length } = innermost
  for (; innermost.at < length; ) {
    const key = keys === null ? innermost.at : keys[innermost.at]!
    innermost.at++
    const value = (container as Record<string | number, unknown>)[key]
    // In an object JSON.stringify leaves these out; in a list they are null.
    const isLeftOut = value === undefined || typeof value === 'function' || typeof value === 'symbol'
    if (isLeftOut && keys !== null) continue
    const comma = innermost.isEmpty ? '' : ','
    innermost.isEmpty = false
    const name = keys === null ? '' : `${JSON.stringify(key)}:${indent === 0 ? '' : ' '}`
    return { kind: 'value', text: `${comma}${newLine(indent, open.length)}${name}`, value }
  }
  open.pop()
  const line = innermost.isEmpty ? '' : newLine(indent, open.length)
  return { kind: 'close', text: `${line}${keys === null ? ']' : '}'}` }
}

function newLine(indent: number, depth: number): string {
  return indent === 0 ? '' : `\n${' '.repeat(indent * depth)}`
}

/** Line ends inside of texts are escaped, so every one that is there begins a line of the print. */
function indented(text: string, indent: number, depth: number): string {
  return indent === 0 || depth === 0 ? text : text.replaceAll('\n', newLine(indent, depth))
}

function refusal(reason: string): TypeError {
  return new TypeError(`the value cannot be written as JSON: ${reason}`)
}
