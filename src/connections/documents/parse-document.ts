import { DocumentFault, isObject, type JsonObject } from './document-fault.ts'
import { endOfText, withoutUnread } from './unread-parts.ts'

/** Of YAML: to read a megabyte takes 1.3 s and 100 MB. */
const MOST_YAML = 4 * 1024 ** 2
/** GitHub's document has 0.7 million. */
const MOST_VALUES = 4_000_000
const DEEPEST = 500
/** White space before the first sign is not longer in any. */
const HEAD_BYTES = 4_096
/** As many uses of anchors as a document that was written by people has. */
const MOST_ALIASES = 1_000

/** Reads JSON, or YAML. */
export async function parseDocument(bytes: Buffer): Promise<JsonObject> {
  const value = isJson(bytes) ? parseJson(bytes) : await parseYaml(decoded(bytes))
  if (isObject(value)) return value
  throw new DocumentFault('The document is no object. Send the OpenAPI document itself, as JSON or YAML.')
}

/** By its first sign, with or without a mark of UTF-8 before it. */
function isJson(bytes: Buffer): boolean {
  return /^(?:\u00ef\u00bb\u00bf)?\s*[{[]/.test(bytes.toString('latin1', 0, HEAD_BYTES))
}

function decoded(bytes: Buffer): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (text.trim() !== '') return text
  } catch {
    throw new DocumentFault('The document is not UTF-8 text. Send it as JSON or YAML.')
  }
  throw new DocumentFault('The document is empty. Send an OpenAPI document as JSON or YAML.')
}

/** What JSON costs is looked at before: a parser would take all the memory that it gets. */
function parseJson(bytes: Buffer): unknown {
  assertBounded(bytes)
  try {
    return JSON.parse(decoded(withoutUnread(bytes)))
  } catch {
    return parseAll(decoded(bytes))
  }
}

/** Of all of it the place of a fault can be told. */
function parseAll(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new DocumentFault(`The document is not JSON: ${placed((error as Error).message, text)}.`)
  }
}

/** Node tells the place as a number of characters. */
function placed(message: string, text: string): string {
  const [, at] = /at position (\d+)/.exec(message) ?? []
  const place = at === undefined ? text.length : Number(at)
  const before = text.slice(0, place)
  const line = before.split('\n').length
  const column = place - before.lastIndexOf('\n')
  const said = message.replace(/,? (?:in JSON )?at position.*/s, '').replace(/, (?:\.{3})?".*/s, '')
  return `${said}, at line ${line}, column ${column}`
}

const [QUOTE, COMMA] = [0x22, 0x2c]
const OPENING = [0x5b, 0x7b]
const CLOSING = [0x5d, 0x7d]

/** Depth, and how many values there are, without making any of them. */
function assertBounded(bytes: Uint8Array): void {
  let [depth, values] = [0, 0]
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === QUOTE) at = endOfText(bytes, at)
    else if (byte === COMMA) values++
    else if (CLOSING.includes(byte)) depth--
    else if (OPENING.includes(byte)) {
      values++
      depth++
    }
    if (depth > DEEPEST) throw tooDeep()
  }
  if (values > MOST_VALUES)
    throw new DocumentFault(
      `The document has more than ${MOST_VALUES} values. Send one of the operations that flows use alone.`
    )
}

function tooDeep(): DocumentFault {
  return new DocumentFault(
    `The document is nested more than ${DEEPEST} levels deep. No OpenAPI document has to be; check what made it.`
  )
}

async function parseYaml(text: string): Promise<unknown> {
  if (text.length > MOST_YAML)
    throw new DocumentFault(
      `The document is YAML of more than ${MOST_YAML / 1024 ** 2} MB, which takes too long to read. Send it as JSON.`
    )
  if (/^\s*</.test(text))
    throw new DocumentFault('This is a web page, and no OpenAPI document. Send the document itself.')
  assertShallow(text)
  const { parseDocument } = await import('yaml')
  try {
    const document = parseDocument(text, { logLevel: 'silent', stringKeys: true, uniqueKeys: true })
    const [fault] = document.errors
    if (fault !== undefined) throw fault
    return document.toJS({ maxAliasCount: MOST_ALIASES })
  } catch (error) {
    if (error instanceof DocumentFault) throw error
    if (error instanceof RangeError) throw tooDeep()
    const message = (error as Error).message.split('\n', 1)[0]!.replace(/:$/, '')
    throw new DocumentFault(`The document is neither JSON nor YAML: ${message.slice(0, 300)}.`)
  }
}

/** Brackets as they stand, and how far lines are indented: a parser that goes down with them runs out of its stack. */
function assertShallow(text: string): void {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (OPENING.includes(code)) depth++
    else if (CLOSING.includes(code)) depth--
    if (depth > DEEPEST) throw tooDeep()
  }
  if (/^(?:[ ]|- |\? ){1000}/m.test(text)) throw tooDeep()
}
