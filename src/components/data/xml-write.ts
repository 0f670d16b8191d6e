import { type BoundedText, isPlainObject, type JsonValue, StepError, type Turns } from '../../plugin-api.ts'
import { printed } from './printed.ts'
import { piecesOf } from './text-pieces.ts'

/**
 * Data as XML, as Convert reads it: `@name` is an attribute, `#text` the text between elements, and a list an element for each of its values.
 * What has no single name at the top is put into `data`. Throws a StepError, or TextTooLong.
 */
export function* writeXml(value: JsonValue, indent: number, text: BoundedText): Turns<void> {
  const writer = new XmlWriter(text, indent)
  text.add('<?xml version="1.0" encoding="UTF-8"?>')
  const [name, root] = rootOf(value)
  yield* writer.element(name, root, 0)
  if (indent > 0) text.add('\n')
}

function rootOf(value: JsonValue): [name: string, root: JsonValue] {
  if (Array.isArray(value)) return ['data', { item: value }]
  if (!isPlainObject(value)) return ['data', value]
  const [only, another] = Object.entries(value)
  const isRoot =
    only !== undefined && another === undefined && !Array.isArray(only[1]) && !/^[@#]/.test(only[0])
  return isRoot ? only : ['data', value]
}

const NAME = /^[\p{L}_][\p{L}\p{N}_.\-:]*$/u

class XmlWriter {
  readonly #text: BoundedText
  readonly #indent: number

  constructor(text: BoundedText, indent: number) {
    this.#text = text
    this.#indent = indent
  }

  *element(name: string, value: JsonValue, depth: number): Turns<void> {
    assertName(name)
    if (Array.isArray(value)) {
      for (const each of value) yield* this.element(name, Array.isArray(each) ? { item: each } : each, depth)
      return
    }
    this.#line(depth)
    this.#text.add(`<${name}`)
    if (isPlainObject(value)) yield* this.#members(name, value, depth)
    else if (value === null || value === '') this.#text.add('/>')
    else {
      this.#text.add('>')
      yield* this.#inner(value)
      this.#text.add(`</${name}>`)
    }
    if (this.#text.isTurnOver(WORK_PER_ELEMENT)) yield
  }

  *#members(name: string, value: { [key: string]: JsonValue }, depth: number): Turns<void> {
    const keys = Object.keys(value)
    for (const key of keys) if (key.startsWith('@')) yield* this.#attribute(key.slice(1), value[key]!)
    const inside = keys.filter((key) => !key.startsWith('@'))
    if (inside.length === 0) return this.#text.add('/>')
    this.#text.add('>')
    let hasElements = false
    for (const key of inside)
      if (key === '#text') yield* this.#inner(value[key]!)
      else {
        hasElements = true
        yield* this.element(key, value[key]!, depth + 1)
      }
    if (hasElements) this.#line(depth)
    this.#text.add(`</${name}>`)
  }

  *#attribute(name: string, value: JsonValue): Turns<void> {
    assertName(name)
    this.#text.add(` ${name}="`)
    yield* this.#content(value, escapedInAttribute)
    this.#text.add('"')
    if (this.#text.isTurnOver(WORK_PER_ELEMENT)) yield
  }

  *#inner(value: JsonValue): Turns<void> {
    // White space alone is taken for what was put there to be looked at, unless it begins with a reference.
    const space = typeof value === 'string' && value.trim() === '' ? /^[^\v\f\r]/.exec(value)?.[0] : undefined
    if (space !== undefined) this.#text.add(`&#${space.charCodeAt(0)};`)
    yield* this.#content(space === undefined ? value : (value as string).slice(1), escaped)
  }

  *#content(value: JsonValue, written: (text: string) => string): Turns<void> {
    for (const piece of piecesOf(yield* printed(value, this.#text.limit))) {
      this.#text.add(written(piece))
      if (this.#text.isTurnOver()) yield
    }
  }

  #line(depth: number): void {
    if (this.#indent > 0) this.#text.add(`\n${' '.repeat(this.#indent * depth)}`)
  }
}

const WORK_PER_ELEMENT = 32

function assertName(name: string): void {
  if (NAME.test(name)) return
  throw new StepError(
    `"${name.slice(0, 100)}" cannot be the name of an element or an attribute of XML: it has to begin with a letter and holds letters, digits, -, _ and . alone. Rename it with Select before.`,
    { code: 'invalid_xml_name', retryable: false }
  )
}

/** A line feed may come with a carriage return, and whoever reads it would take the two for one. */
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' }

/** XML has no way to write some signs of control: they become the sign for what is unknown. */
function escaped(text: string): string {
  return (
    text
      .replaceAll(/[&<>\r]/g, (sign) => ESCAPES[sign]!)
      .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
      // It is well formed. But V8 leaves what was replaced in parts, which take a hundred times as long to join later.
      .toWellFormed()
  )
}

/** Ends of lines and tabs that stand in an attribute as they are become spaces for whoever reads it. */
const IN_ATTRIBUTE: Readonly<Record<string, string>> = { '"': '&quot;', '\t': '&#9;', '\n': '&#10;' }

function escapedInAttribute(text: string): string {
  return escaped(text).replaceAll(/["\t\n]/g, (sign) => IN_ATTRIBUTE[sign]!)
}
