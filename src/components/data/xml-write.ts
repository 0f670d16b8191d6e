import {
  type BoundedText,
  isPlainObject,
  type JsonValue,
  StepError,
  type Turns,
  writeJson
} from '../../plugin-api.ts'

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
    else {
      const content = contentOf(value)
      this.#text.add(content === '' ? '/>' : `>${content}</${name}>`)
    }
    if (this.#text.isTurnOver(WORK_PER_ELEMENT)) yield
  }

  *#members(name: string, value: { [key: string]: JsonValue }, depth: number): Turns<void> {
    const members = Object.entries(value)
    for (const [key, member] of members) if (key.startsWith('@')) this.#attribute(key.slice(1), member)
    const inside = members.filter(([key]) => !key.startsWith('@'))
    if (inside.length === 0) return this.#text.add('/>')
    this.#text.add('>')
    let hasElements = false
    for (const [key, member] of inside)
      if (key === '#text') this.#text.add(contentOf(member))
      else {
        hasElements = true
        yield* this.element(key, member, depth + 1)
      }
    if (hasElements) this.#line(depth)
    this.#text.add(`</${name}>`)
  }

  #attribute(name: string, value: JsonValue): void {
    assertName(name)
    this.#text.add(` ${name}="${attributeOf(value)}"`)
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
function contentOf(value: JsonValue): string {
  if (value === null) return ''
  const text = typeof value === 'string' ? value : writeJson(value)
  return text
    .replaceAll(/[&<>\r]/g, (sign) => ESCAPES[sign]!)
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
}

/** Ends of lines and tabs that stand in an attribute as they are become spaces for whoever reads it. */
const IN_ATTRIBUTE: Readonly<Record<string, string>> = { '"': '&quot;', '\t': '&#9;', '\n': '&#10;' }

function attributeOf(value: JsonValue): string {
  return contentOf(value).replaceAll(/["\t\n]/g, (sign) => IN_ATTRIBUTE[sign]!)
}
