import type { Turns } from '../in-turns.ts'
import { isTooDeep } from './exact-json.ts'
import { jsonPieces } from './json-pieces.ts'
import { readPlainlyInTurns } from './read-exactly.ts'
import { BeyondBounds, type ReadingBounds } from './reading-bounds.ts'

/** In characters: what is read at once, which takes a few milliseconds at the most. */
const SHORT = 64 * 1024

/** As JSON.parse; what is short has not so much in it that it has to be counted. */
export function* parsePlainInTurns(text: string, most: ReadingBounds): Turns<unknown> {
  if (text.length > SHORT) return yield* readPlainlyInTurns(text, most)
  if (isTooDeep(text, most.depth)) throw new BeyondBounds('depth', most.depth)
  return JSON.parse(text)
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
