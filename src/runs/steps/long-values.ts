import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { MillraceError } from '../../errors.ts'
import { inTurns, type Pacer, type Turns } from '../../flows/in-turns.ts'
import { TextTooLong } from '../../flows/json/bounded-text.ts'
import { MAX_DEPTH, PAYLOAD_DEPTH } from '../../flows/json/exact-json.ts'
import { jsonPieces } from '../../flows/json/json-pieces.ts'
import type { LongValue } from '../../flows/json/long-value.ts'
import { parseJsonInTurns } from '../../flows/json/parse-json-in-turns.ts'

/** In characters: what is written with one commit, which is a matter of a few milliseconds. */
const PIECE = 512 * 1024

export type ReadPiece = (seq: number, name: string, piece: number) => Promise<Uint8Array | undefined>

/** A value as JSON, in pieces. Throws TextTooLong past `most` bytes, and TypeError for what JSON cannot hold. */
export function* encodeLong(value: unknown, most: number): Turns<{ pieces: Uint8Array[]; bytes: number }> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  let texts: string[] = []
  let length = 0
  const end = () => {
    const piece = Buffer.from(texts.join(''))
    bytes += piece.byteLength
    if (bytes > most) throw new TextTooLong(most)
    pieces.push(piece)
    texts = []
    length = 0
  }
  for (const text of jsonPieces(value, { maxDepth: PAYLOAD_DEPTH })) {
    texts.push(text)
    length += text.length
    if (length >= PIECE) end()
    yield
  }
  if (length > 0) end()
  return { pieces, bytes }
}

/** The pieces of a value, which join to its JSON text. */
export async function* piecesOf({ ref }: LongValue, read: ReadPiece): AsyncGenerator<Uint8Array> {
  const [seq, name, pieces] = ref
  for (let piece = 0; piece < pieces; piece++) {
    const bytes = await read(seq, name, piece)
    if (bytes === undefined) throw gone(name)
    yield bytes
  }
}

export async function loadLong(value: LongValue, read: ReadPiece): Promise<unknown> {
  const pieces: Uint8Array[] = []
  for await (const piece of piecesOf(value, read)) pieces.push(piece)
  const text = Buffer.concat(pieces).toString()
  // Whatever was stored is read, however wide it is.
  return inTurns(parseJsonInTurns(text, MAX_DEPTH, Number.POSITIVE_INFINITY), pacerOfRead())
}

/** So many stretches of the reader take a few milliseconds. */
const STRETCHES_PER_TURN = 8

function pacerOfRead(): Pacer {
  let stretches = 0
  return { pause: () => (++stretches % STRETCHES_PER_TURN === 0 ? turnOfTheLoop() : undefined) }
}

function gone(name: string): MillraceError {
  return new MillraceError(
    'run_not_found',
    `A part of the run is not there any more (${name}): it was deleted.`
  )
}
