import type { Turns } from '../../flows/in-turns.ts'
import { isPlainObject, MAX_DEPTH } from '../../flows/json/exact-json.ts'
import { shortWeight } from '../../flows/json/json-pieces.ts'
import { redactText, redactValue } from './redact-secrets.ts'
import type { SecretSpellings } from './secret-spellings.ts'
import { StreamRedactor } from './stream-redactor.ts'

/** In characters: what is redacted at once. Where every letter is an escape, it takes a few milliseconds. */
const PIECE = 16 * 1024

/** What redactValue gives, for values of any size: 16 MB that hold nothing but escapes would hold the thread for two seconds. */
export function* redactInTurns(value: unknown, spellings: SecretSpellings): Turns<unknown> {
  if (spellings.isEmpty) return value
  return shortWeight(value) === undefined
    ? yield* redactLong(value, { spellings, redacted: new Map() }, 0)
    : redactValue(value, spellings)
}

interface Redaction {
  readonly spellings: SecretSpellings
  /** Long ones that are done: the body of an answer is in two outputs. */
  readonly redacted: Map<unknown, unknown>
}

function* redactLong(value: unknown, redaction: Redaction, depth: number): Turns<unknown> {
  if (redaction.redacted.has(value)) return redaction.redacted.get(value)
  // A value that holds itself has no end.
  if (depth > MAX_DEPTH) throw new RangeError(`The value is nested deeper than ${MAX_DEPTH} levels.`)
  const redacted =
    typeof value === 'string'
      ? yield* redactLongText(value, redaction.spellings)
      : Array.isArray(value)
        ? yield* redactItems(value, redaction, depth + 1)
        : isPlainObject(value)
          ? yield* redactMembers(value, redaction, depth + 1)
          : value
  redaction.redacted.set(value, redacted)
  return redacted
}

function* redactLongText(text: string, spellings: SecretSpellings): Turns<string> {
  const redactor = new StreamRedactor(() => spellings)
  const pieces: string[] = []
  for (let from = 0; from < text.length; from += PIECE) {
    pieces.push(redactor.take(text.slice(from, from + PIECE), from + PIECE >= text.length))
    yield
  }
  return pieces.join('')
}

function* redactItems(
  items: readonly unknown[],
  redaction: Redaction,
  depth: number
): Turns<readonly unknown[]> {
  let redacted: unknown[] | undefined
  let work = 0
  for (let at = 0; at < items.length; at++) {
    const item = items[at]
    const weight = shortWeight(item)
    const clean =
      weight === undefined
        ? yield* redactLong(item, redaction, depth)
        : redactValue(item, redaction.spellings)
    if (clean !== item) redacted ??= items.slice()
    if (redacted !== undefined) redacted[at] = clean
    work += weight ?? PIECE
    if (work < PIECE) continue
    work = 0
    yield
  }
  return redacted ?? items
}

function* redactMembers(
  members: Readonly<Record<string, unknown>>,
  redaction: Redaction,
  depth: number
): Turns<unknown> {
  const { spellings } = redaction
  const redacted: [name: string, member: unknown][] = []
  let isClean = true
  let work = 0
  for (const name of Object.keys(members)) {
    const member = members[name]
    const weight = shortWeight(member)
    const cleanName =
      name.length <= PIECE ? redactText(name, spellings) : yield* redactLongText(name, spellings)
    const clean =
      weight === undefined ? yield* redactLong(member, redaction, depth) : redactValue(member, spellings)
    if (cleanName !== name || clean !== member) isClean = false
    redacted.push([cleanName, clean])
    work += name.length + (weight ?? PIECE)
    if (work < PIECE) continue
    work = 0
    yield
  }
  return isClean ? members : Object.fromEntries(redacted)
}
