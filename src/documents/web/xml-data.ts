import { parseXml, XmlElement, XmlText } from '@rgrove/parse-xml'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import { brokenDocument } from '../document-fault.ts'

type Data = { [name: string]: JsonValue }

/**
 * XML as data: an element with text alone is that text; else an object of its attributes, as `@name`, its elements by name, where several of a name
 * are a list, and the text between them as `#text`. White space alone is no text, unless it was written as references or as CDATA.
 */
export function xmlData(xml: string): JsonValue {
  try {
    const source = xml.replace(/^\uFEFF?\s+(?=<)/, '')
    const { root } = parseXml(source, { ignoreUndefinedEntities: false, includeOffsets: true })
    if (root === null) throw new Error('it has no element')
    return put(empty(), root.name, readValue(root, source))
  } catch (error) {
    throw brokenDocument('XML', error)
  }
}

function readValue({ attributes, children }: XmlElement, source: string): JsonValue {
  const data = empty()
  let members = 0
  let text = ''
  let hasElements = false
  for (const [name, value] of Object.entries(attributes)) {
    data[`@${name}`] = value
    members += 1
  }
  for (const child of children) {
    if (child instanceof XmlText) text += child.text
    if (!(child instanceof XmlElement)) continue
    hasElements = true
    put(data, child.name, readValue(child, source))
    members += 1
  }
  const meant = text.trim() !== '' || hasElements ? text.trim() : spaceOf(children, source)
  if (members === 0) return meant === '' ? '' : text
  if (meant !== '') data['#text'] = meant
  return data
}

/** The white space that an element holds and nothing else, where it was not only put there to be looked at. */
function spaceOf([only]: XmlElement['children'], source: string): string {
  if (!(only instanceof XmlText)) return ''
  return /&#|<!\[CDATA\[/.test(source.slice(only.start, only.end)) ? only.text : ''
}

function put(data: Data, name: string, value: JsonValue): Data {
  const before = data[name]
  if (before === undefined) data[name] = value
  else if (Array.isArray(before)) before.push(value)
  else data[name] = [before, value]
  return data
}

/** Whatever a name is, it is one of its own. */
function empty(): Data {
  return Object.create(null) as Data
}
