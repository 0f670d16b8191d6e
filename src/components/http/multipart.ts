import { isPlainObject, type JsonValue, StepError, TextTooLong, type Turns } from '../../plugin-api.ts'
import { printedWithin } from './build-url.ts'

/** A file as an answer gives it out and as a body takes it. */
interface FileValue {
  readonly base64: string
  readonly content_type?: string
  readonly filename?: string
}

export function isFile(value: unknown): value is FileValue & { [key: string]: JsonValue } {
  return isPlainObject(value) && typeof value.base64 === 'string'
}

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
 * A form with files (RFC 7578). An object with `base64` is a file, with its `filename` and `content_type`; a list gives
 * its name once per item; null gives nothing.
 */
export function* encodeMultipart(
  values: { readonly [name: string]: JsonValue },
  boundary: string,
  most: number
): Turns<Uint8Array> {
  const parts: Uint8Array[] = []
  let left = most
  for (const [name, value] of Object.entries(values)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === null) continue
      const made = yield* part({ name, value: item, boundary, most: left })
      parts.push(...made)
      left -= made.reduce((sum, { length }) => sum + length, 0)
      if (left < 0) throw new TextTooLong(most)
      if (parts.length % PARTS_OF_TURN === 0) yield
    }
  }
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
}

/** Of three pieces each. */
const PARTS_OF_TURN = 300

interface NewPart {
  readonly name: string
  readonly value: JsonValue
  readonly boundary: string
  readonly most: number
}

function* part({ name, value, boundary, most }: NewPart): Turns<Uint8Array[]> {
  const file = isFile(value) ? value : undefined
  const filename = file === undefined ? '' : `; filename="${quoted(String(file.filename ?? 'file'))}"`
  const type = file === undefined ? '' : `Content-Type: ${typeOf(file)}\r\n`
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"${filename}\r\n${type}\r\n`
  const content =
    file === undefined
      ? Buffer.from(yield* printedWithin(value, most))
      : bytesOf(file.base64, `The file "${name}"`)
  return [Buffer.from(head), content, Buffer.from('\r\n')]
}

function typeOf({ content_type: type }: FileValue): string {
  // It stands among headers: a line break would begin another one.
  return typeof type === 'string' && /^[\x21-\x7e][\x20-\x7e]*$/.test(type)
    ? type
    : 'application/octet-stream'
}

/** As browsers write it. */
function quoted(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
