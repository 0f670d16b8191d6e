import { parseXml, XmlElement, XmlText } from '@rgrove/parse-xml'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import { brokenDocument } from '../document-fault.ts'

type Data = { [name: string]: JsonValue }

/**
 * XML as data: an element with text alone is that text; else an object of its attributes, as `@name`, its elements by name, where several of a name
 * are a list, and the text between them as `#text`.
 */
export function xmlData(xml: string): JsonValue {
  try {
    const { root } = parseXml(xml.replace(/^\uFEFF?\s+(?=<)/, ''), { ignoreUndefinedEntities: false })
    if (root === null) throw new Error('it has no element')
    return put(empty(), root.name, readValue(root))
  } catch (error) {
    throw brokenDocument('XML', error)
  }
}

function readValue({ attributes, children }: XmlElement): JsonValue {
  const data = empty()
  let members = 0
  let text = ''
  for (const [name, value] of Object.entries(attributes)) {
    data[`@${name}`] = value
    members += 1
  }
  for (const child of children) {
    if (child instanceof XmlText) text += child.text
    if (!(child instanceof XmlElement)) continue
    put(data, child.name, readValue(child))
    members += 1
  }
  if (members === 0) return text.trim() === '' ? '' : text
  if (text.trim() !== '') data['#text'] = text.trim()
  return data
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
