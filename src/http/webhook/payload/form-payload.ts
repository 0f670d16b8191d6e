import { isUtf8 } from 'node:buffer'
import { MillraceError } from '../../../errors.ts'
import { writeJson } from '../../../flows/json/exact-json.ts'
import { objectOfPairs } from '../../../flows/repeated-names.ts'

/** As many as a form may well have; each costs time of its own, and a megabyte has room for 300,000. */
const MOST_FIELDS = 1_000
const LONGEST_NAME = 1_000
const AMPERSAND = 0x26
const EQUALS = 0x3d
const PERCENT = 0x25
const PLUS = 0x2b
const SPACE = 0x20

/**
 * A body of `application/x-www-form-urlencoded` as JSON: an object of texts; a name that repeats gives a list. Read as browsers write it, and by hand:
 * `URLSearchParams` takes 100 ms for a megabyte of plus signs. `charset` is what its sender says it is written in, where that is not UTF-8.
 */
export function formPayload(body: Uint8Array, charset?: Charset): Uint8Array {
  assertFew(body)
  const written =
    charset === undefined
      ? utf8
      : (bytes: Uint8Array) => (isUtf8(bytes) ? utf8(bytes) : charset.decode(bytes))
  return Buffer.from(writeJson(objectOfPairs(pairsIn(body, written))))
}

type Charset = Pick<InstanceType<typeof TextDecoder>, 'decode'>
type Read = (bytes: Uint8Array) => string

const utf8: Read = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()

function* pairsIn(body: Uint8Array, read: Read): Generator<[name: string, value: string]> {
  for (let start = 0; start < body.length; ) {
    const next = body.indexOf(AMPERSAND, start)
    const end = next < 0 ? body.length : next
    if (end > start) {
      const pair = body.subarray(start, end)
      const equals = pair.indexOf(EQUALS)
      const name = read(unescaped(equals < 0 ? pair : pair.subarray(0, equals)))
      if (name.length > LONGEST_NAME) throw longName()
      yield [name, equals < 0 ? '' : read(unescaped(pair.subarray(equals + 1)))]
    }
    start = end + 1
  }
}

/** A percent sign before anything but two digits is one. */
function unescaped(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(PERCENT) && !bytes.includes(PLUS)) return bytes
  const text = Buffer.allocUnsafe(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    const value = byte === PERCENT ? digitOf(bytes[at + 1]) * 16 + digitOf(bytes[at + 2]) : -1
    if (value >= 0) at += 2
    text[length++] = value >= 0 ? value : byte === PLUS ? SPACE : byte
  }
  return text.subarray(0, length)
}

/** Far below 0 where it is none. */
function digitOf(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1_000
}

/** Before they are taken apart. */
function assertFew(body: Uint8Array): void {
  let fields = 1
  for (let at = body.indexOf(AMPERSAND); at >= 0; at = body.indexOf(AMPERSAND, at + 1)) {
    fields += 1
    if (fields > MOST_FIELDS)
      throw new MillraceError('body_too_large', `The form has more than ${MOST_FIELDS} fields. Send fewer.`)
  }
}

function longName(): MillraceError {
  return new MillraceError(
    'form_invalid',
    `The form has a field whose name has more than ${LONGEST_NAME} characters. Is it a form? Send JSON as application/json, and text as text/plain.`
  )
}
