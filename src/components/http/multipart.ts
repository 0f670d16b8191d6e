import {
  type GivenBytes,
  givenBytes,
  type JsonValue,
  StepError,
  TextTooLong,
  type Turns
} from '../../plugin-api.ts'
import { printedWithin } from './build-url.ts'
import type { BodyPiece } from './streamed-body.ts'

/** What base64 stands for. Throws a StepError where it is not base64. */
export function bytesOf(base64: string, where: string): Uint8Array {
  const text = base64.replaceAll(/\s/g, '')
  if (/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) return Buffer.from(text, 'base64')
  throw new StepError(`${where} is not base64. Send bytes as base64, or choose the body type Text.`, {
    code: 'body_not_base64',
    retryable: false
  })
}

/**
 * A form with files (RFC 7578). A file, or an object with `base64`, is one, with its `filename` and `content_type`; a list gives
 * its name once per item; null gives nothing. Stored files are pieces of their own, of which nothing is read here.
 */
export function* encodeMultipart(
  values: { readonly [name: string]: JsonValue },
  boundary: string,
  most: number
): Turns<Uint8Array | BodyPiece[]> {
  const parts: BodyPiece[] = []
  let left = most
  for (const [name, value] of Object.entries(values)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === null) continue
      const made = yield* part({ name, value: item, boundary, most: left })
      parts.push(...made)
      left -= made.reduce((sum, piece) => sum + (piece instanceof Uint8Array ? piece.length : 0), 0)
      if (left < 0) throw new TextTooLong(most)
      if (parts.length % PARTS_OF_TURN === 0) yield
    }
  }
  const pieces = [...parts, Buffer.from(`--${boundary}--\r\n`)]
  return isHere(pieces) ? Buffer.concat(pieces) : pieces
}

function isHere(pieces: readonly BodyPiece[]): pieces is Uint8Array[] {
  return pieces.every((piece) => piece instanceof Uint8Array)
}

/** Of three pieces each. */
const PARTS_OF_TURN = 300

interface NewPart {
  readonly name: string
  readonly value: JsonValue
  readonly boundary: string
  readonly most: number
}

function* part({ name, value, boundary, most }: NewPart): Turns<BodyPiece[]> {
  const file = givenBytes(value)
  const filename = file === undefined ? '' : `; filename="${quoted(file.filename || 'file')}"`
  const type = file === undefined ? '' : `Content-Type: ${headerType(file)}\r\n`
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"${filename}\r\n${type}\r\n`
  const content =
    file === undefined ? Buffer.from(yield* printedWithin(value, most)) : pieceOf(file, `The file "${name}"`)
  return [Buffer.from(head), content, Buffer.from('\r\n')]
}

export function pieceOf({ source }: GivenBytes, where: string): BodyPiece {
  return 'file' in source ? source : bytesOf(source.base64, where)
}

/** It stands among headers: a line break would begin another one. */
export function headerType({ contentType }: GivenBytes): string {
  return /^[\x21-\x7e][\x20-\x7e]*$/.test(contentType) ? contentType : 'application/octet-stream'
}

/** As browsers write it. */
function quoted(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
