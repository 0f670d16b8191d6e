import { type Files, fileValue, type NewFile } from '../../../files/files.ts'
import type { Pacer, Turns } from '../../../flows/in-turns.ts'
import { inTurns } from '../../../flows/in-turns.ts'
import { type JsonValue, PAYLOAD_DEPTH, writeJson } from '../../../flows/json/exact-json.ts'
import { parseJsonInTurns } from '../../../flows/json/parse-json-in-turns.ts'
import { MOST_MEMBERS } from '../../../flows/json/reading-bounds.ts'
import { objectOfPairs } from '../../../flows/repeated-names.ts'

/** What a request starts a run with, whatever it was sent as. */
export interface SentPayload {
  /** As it is stored: JSON, or a text that is none. */
  readonly input: Uint8Array
  /** Those that it names, durable, and nobody's as yet. */
  readonly files: readonly NewFile[]
  /** What is the same where the same is sent again: the body; of forms with files, what is in them, since each has ids and a boundary of its own. */
  readonly identity: Uint8Array
}

const NO_FILES: readonly NewFile[] = []

/** Bytes that are taken as they are. */
export function plainPayload(input: Uint8Array, identity = input): SentPayload {
  return { input, files: NO_FILES, identity }
}

/** The fields of a form, in their order. */
export function pairsPayload(pairs: Iterable<readonly [name: string, value: string | NewFile]>): SentPayload {
  const sent = [...pairs]
  return {
    input: written(sent, fileValue),
    files: sent.map(([, value]) => value).filter((value) => typeof value !== 'string'),
    identity: written(sent, contentOf)
  }
}

/** Does what is left to do before files are handed to a run. Where that fails, nothing is left of them. */
export async function lettingGo<T>(
  files: readonly NewFile[],
  keeper: Pick<Files, 'letGo'>,
  work: () => T | Promise<T>
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await keeper.letGo(files)
    throw error
  }
}

/** Bytes of their own. */
export function filePayload(file: NewFile): SentPayload {
  return pairsPayload([['payload', file]])
}

function written(
  pairs: readonly (readonly [name: string, value: string | NewFile])[],
  write: (file: NewFile) => object
): Uint8Array {
  const values = pairs.map(
    ([name, value]) => [name, typeof value === 'string' ? value : write(value)] as const
  )
  return Buffer.from(writeJson(objectOfPairs(values)))
}

function contentOf({ digest, filename, contentType }: NewFile) {
  return { digest, filename, contentType }
}

const MINUS = 0x2d
/** What JSON begins with: { [ " t f n and digits; a minus sign with a digit after it. */
const BEGINNINGS = new Set([...'{["tfn0123456789'].map((letter) => letter.charCodeAt(0)))
const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d])
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/** Whether these bytes may be the beginning of JSON. Those of pictures, archives and forms are not, so nothing of them is gathered. */
export function mayBeJson(bytes: Uint8Array): boolean {
  let at = BYTE_ORDER_MARK.every((byte, place) => bytes[place] === byte) ? BYTE_ORDER_MARK.length : 0
  while (at < bytes.length && SPACES.has(bytes[at]!)) at++
  if (at === bytes.length) return true
  if (bytes[at] === MINUS) return bytes[at + 1] !== MINUS
  return BEGINNINGS.has(bytes[at]!)
}

const utf8 = new TextDecoder('utf-8')

/** Whether it is read as JSON, by the rules of every payload. */
export function isJson(body: Uint8Array, pace: Pacer): boolean | Promise<boolean> {
  return mayBeJson(body) ? inTurns(judgeJson(body), pace) : false
}

function* judgeJson(body: Uint8Array): Turns<boolean> {
  try {
    yield* parseJsonInTurns(utf8.decode(body), PAYLOAD_DEPTH, MOST_MEMBERS) as Turns<JsonValue>
    return true
  } catch {
    return false
  }
}
