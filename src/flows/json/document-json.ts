import { atOnce, type Turns } from '../in-turns.ts'
import { ExactNumber, isTooDeep, type JsonValue } from './exact-json.ts'
import { jsonPieces } from './json-pieces.ts'
import { readExactlyInTurns, readPlainlyInTurns } from './read-exactly.ts'
import { BeyondBounds, NO_BOUNDS, type ReadingBounds } from './reading-bounds.ts'

/** In characters: what is read at once, which takes a few milliseconds at the most. */
const SHORT = 64 * 1024

/** As JSON.parse; what is short has not so much in it that it has to be counted. */
export function* parsePlainInTurns(text: string, most: ReadingBounds): Turns<unknown> {
  if (text.length > SHORT) return yield* readPlainlyInTurns(text, most)
  if (isTooDeep(text, most.depth)) throw new BeyondBounds('depth', most.depth)
  return JSON.parse(text)
}

/** No shorter integer is another one in JavaScript. */
const MAY_BE_LONG = /\d{16}/
const LONG = /^-?\d{16,}$/
/** Members that are looked at before others have their turn. */
const STRETCH = 2_000

/** A flow, or what holds one: as above, but long integers that people wrote into fields keep all their digits. */
export function* parseDocumentInTurns(text: string, most: ReadingBounds): Turns<unknown> {
  const plain = yield* parsePlainInTurns(text, most)
  if (!MAY_BE_LONG.test(text)) return plain
  return yield* exactInFields(yield* readExactlyInTurns(text, most.depth, most.members))
}

type Looked = readonly [within: object, isField: boolean]

/** Positions, limits and numbers of versions are those of JavaScript wherever they are counted with. */
function* exactInFields(whole: JsonValue): Turns<unknown> {
  const around = { whole }
  const left: Looked[] = [[around, false]]
  let looked = 0
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [within, isField] = next
    // Entries of a long list would all be made at once.
    for (const name of Array.isArray(within) ? within.keys() : Object.keys(within)) {
      if (++looked % STRETCH === 0) yield
      const inside = judgeMember(within, name, isField)
      if (inside !== undefined) left.push(inside)
    }
  }
  return around.whole
}

/** What is to be looked at inside of it, if anything. */
function judgeMember(within: object, name: string | number, isField: boolean): Looked | undefined {
  const value = (within as Record<string | number, JsonValue>)[name]
  if (typeof value !== 'object' || value === null) return undefined
  if (!(value instanceof ExactNumber)) return [value, isField || name === 'fields']
  if (!isField || !LONG.test(value.source)) setMember(within, name, Number(value))
  return undefined
}

/** Also where it is called __proto__. */
function setMember(within: object, name: string | number, value: number): void {
  Object.defineProperty(within, name, { value, writable: true, enumerable: true, configurable: true })
}

/** As it was stored, so it was taken once. */
export function storedDocument(text: string): unknown {
  return atOnce(parseDocumentInTurns(text, NO_BOUNDS))
}

/** As JSON.stringify. */
export function* writeJsonInTurns(value: object): Turns<string> {
  const pieces: string[] = []
  for (const piece of jsonPieces(value)) {
    // V8 keeps what was put together as a tree of its parts until somebody looks: all at once that takes long.
    piece.charCodeAt(piece.length - 1)
    pieces.push(piece)
    yield
  }
  return pieces.join('')
}
