import { selectAll, selectOne } from 'css-select'
import { type AnyNode, type Element, isTag } from 'domhandler'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import { BadDocument } from '../document-fault.ts'
import { inOneLine, readHtml, textContent } from './html-tree.ts'

interface Selection {
  readonly each: string
  readonly values: Readonly<Record<string, string>>
}

/** An object of values, or with `each` one for each element that it finds; without values, the texts of those. */
export function selectValues(html: string, { each, values }: Selection): JsonValue {
  const tree = readHtml(html)
  const readers = Object.entries(values).map(([name, written]) => [name, readSelector(written)] as const)
  const valuesIn = (node: AnyNode) =>
    Object.fromEntries(readers.map(([name, selector]) => [name, readValue(node, selector)]))
  if (each.trim() === '') return valuesIn(tree)
  const found = inSelector(each, () => selectAll<AnyNode, Element>(each, tree))
  return readers.length === 0 ? found.map(shownText) : found.map(valuesIn)
}

interface Selector {
  /** Empty: the element itself. */
  readonly css: string
  readonly attribute: string | undefined
}

const ATTRIBUTE = /^(.*)@([^\s@"'[\]()>+~]+)\s*$/s

/** `selector@attribute`, of which either may be missing. An @ within brackets or quotes is the selector's. */
function readSelector(written: string): Selector {
  const parts = ATTRIBUTE.exec(written)
  if (parts === null) return { css: written.trim(), attribute: undefined }
  return { css: parts[1]!.trim(), attribute: parts[2]!.toLowerCase() }
}

function readValue(node: AnyNode, { css, attribute }: Selector): JsonValue {
  const found = css === '' ? node : inSelector(css, () => firstIn(node, css))
  if (found === null) return null
  if (attribute === undefined) return shownText(found)
  return isTag(found) && Object.hasOwn(found.attribs, attribute) ? found.attribs[attribute]! : null
}

function firstIn(node: AnyNode, css: string): AnyNode | null {
  // Not its children: a list is first searched for what stands in something else of it, which takes the square of its length.
  return selectOne<AnyNode, Element>(css, node, { context: node as Element })
}

function inSelector<R>(selector: string, select: () => R): R {
  try {
    return select()
  } catch (error) {
    if (error instanceof RangeError) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new BadDocument('document_broken', `${JSON.stringify(selector)} is not a CSS selector: ${why}.`)
  }
}

function shownText(node: AnyNode): string {
  return inOneLine(textContent(node)).trim()
}
