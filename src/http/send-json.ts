import { Readable } from 'node:stream'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { writeJson } from '../flows/json/exact-json.ts'
import { isJsonBytes, type JsonBytes } from '../flows/json/json-bytes.ts'
import { jsonPieces, weigh } from '../flows/json/json-pieces.ts'
import { isLongValue, type LongValue } from '../flows/json/long-value.ts'
import { piecesOf, type ReadPiece } from '../runs/steps/long-values.ts'
import { answerMemory, readerOf } from './requests/answer-memory.ts'

/** In characters. What is longer goes out piece by piece, as fast as the caller reads. */
const AT_ONCE = 256 * 1024
/** For so long an answer is written before others have their turn. */
const TURN_MS = 8

const LARGEST_WEIGHED = 2 * 1024 * 1024
const LARGEST_DOCUMENT = 20 * 1024 * 1024

/**
 * Answers with JSON that is written here and not by Fastify's serializer, which would lose digits of payloads. Long
 * values are read from the store while the answer goes out, so a large one is never in memory as a whole.
 */
export function sendJson(
  reply: FastifyReply,
  value: unknown,
  readPiece: ReadPiece,
  memory = answerMemory
): FastifyReply {
  reply.header('content-type', 'application/json; charset=utf-8')
  const weight = weigh(value, LARGEST_WEIGHED, isStored)
  if (weight <= AT_ONCE) return reply.send(writeJson(value))
  memory.hold(reply.raw, memoryOf(weight), readerOf(reply.request))
  return reply.send(Readable.from(answerPieces(value, readPiece), { objectMode: false }))
}

/** What is stored is read while it goes out. What is larger than is looked at is a document, the largest of which take so much. */
function memoryOf(weight: number): number {
  if (weight === Number.POSITIVE_INFINITY) return 2 * AT_ONCE
  return weight > LARGEST_WEIGHED ? LARGEST_DOCUMENT : 2 * weight
}

async function* answerPieces(value: unknown, readPiece: ReadPiece): AsyncGenerator<string | Uint8Array> {
  let text = ''
  let since = performance.now()
  for (const piece of jsonPieces(value, { isWhole: isStored })) {
    // What is made of many short parts takes longer than its length says.
    if (performance.now() - since > TURN_MS) {
      await turnOfTheLoop()
      since = performance.now()
    }
    if (typeof piece === 'string') {
      text += piece
      if (text.length < AT_ONCE) continue
      yield text
    } else {
      if (text !== '') yield text
      yield* piecesInTurns(isJsonBytes(piece) ? partsOf(piece) : piecesOf(piece, readPiece))
    }
    text = ''
    await turnOfTheLoop()
    since = performance.now()
  }
  if (text !== '') yield text
}

/** A caller on the same machine takes them as fast as they are read: others would wait for the last one. */
async function* piecesInTurns(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    yield piece
    await turnOfTheLoop()
  }
}

function isStored(value: unknown): value is LongValue | JsonBytes {
  return isLongValue(value) || isJsonBytes(value)
}

function* partsOf({ bytes }: JsonBytes): Generator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += AT_ONCE) yield bytes.subarray(at, at + AT_ONCE)
}
