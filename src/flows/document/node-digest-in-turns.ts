import type { Turns } from '../in-turns.ts'
import { quotedPieces, weigh } from '../json/json-pieces.ts'
import type { FlowNode } from './flow-document.ts'
import { DigestOfText, sorted, sortedMembers } from './node-digest.ts'

/** In characters: what is written and hashed at once takes a fraction of a millisecond. */
const PIECE = 16 * 1024

/** As nodeDigest: a node of a draft may have ten megabytes, and anybody who reads the flow asks for it. */
export function* nodeDigestInTurns({ type, fields }: Pick<FlowNode, 'type' | 'fields'>): Turns<string> {
  const text = new TextInTurns()
  yield* write(text, [type, fields])
  return text.digest()
}

class TextInTurns {
  readonly #digest = new DigestOfText()
  #text = ''

  /** Whether it is time to look after others. */
  add(more: string): boolean {
    this.#text += more
    if (this.#text.length < PIECE) return false
    this.#digest.add(this.#text)
    this.#text = ''
    return true
  }

  digest(): string {
    this.#digest.add(this.#text)
    return this.#digest.written()
  }
}

function* write(text: TextInTurns, value: unknown): Turns<void> {
  if (typeof value === 'string') {
    for (const piece of quotedPieces(value)) if (text.add(piece)) yield
  } else if (!isLong(value)) {
    if (text.add(JSON.stringify(sorted(value)))) yield
  } else if (Array.isArray(value)) yield* writeItems(text, value)
  else {
    yield
    yield* writeMembers(text, sortedMembers(value as object))
  }
}

function isLong(value: unknown): boolean {
  return typeof value === 'string' ? value.length > PIECE : weigh(value, PIECE) > PIECE
}

function* writeItems(text: TextInTurns, items: readonly unknown[]): Turns<void> {
  text.add('[')
  for (const [at, item] of items.entries()) {
    const comma = at === 0 ? '' : ','
    if (!isLong(item)) {
      if (text.add(comma + (JSON.stringify(sorted(item)) ?? 'null'))) yield
      continue
    }
    text.add(comma)
    yield* write(text, item)
  }
  text.add(']')
}

/** Each is a list of its name and its value. */
function* writeMembers(text: TextInTurns, members: readonly (readonly [string, unknown])[]): Turns<void> {
  text.add('[')
  for (const [at, [name, member]] of members.entries()) {
    text.add(`${at === 0 ? '[' : ',['}${JSON.stringify(name)},`)
    if (isLong(member)) yield* write(text, member)
    else if (text.add(JSON.stringify(sorted(member)) ?? 'null')) yield
    text.add(']')
  }
  text.add(']')
}
