import { linkTo } from './safe-address.ts'

/** The parts of a HAST tree that matter here. */
interface TreeText {
  type: 'text'
  value: string
}
interface TreeElement {
  type: 'element'
  tagName: string
  properties: Record<string, unknown>
  children: TreeNode[]
}
interface TreeParent {
  type: string
  children?: TreeNode[]
}
type TreeNode = TreeText | TreeElement | TreeParent

/**
 * Puts text in the place of HTML, of every image, and of every link that leads where a message must not lead: what was
 * written, with the address in full, so that the reader sees it and nothing asks for it. A plugin of rehype.
 */
export function plainParts() {
  return (tree: unknown): void => replaceIn(tree as TreeParent)
}

function replaceIn(parent: TreeParent): void {
  // With a stack of its own: a message may be nested deeper than calls can be.
  const open = [parent]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at.children === undefined) continue
    const isRoot = at.type === 'root'
    at.children = at.children.map((child) => (isHtml(child) ? plainHtml(child, isRoot) : plainPart(child)))
    open.push(...(at.children as TreeParent[]))
  }
}

/** HTML that is not read. */
function isHtml(node: TreeNode): node is TreeText {
  return node.type === 'raw'
}

function plainHtml({ value }: TreeText, isRoot: boolean): TreeNode {
  return isRoot ? element('p', {}, [text(value)]) : text(value)
}

function plainPart(node: TreeNode): TreeNode {
  if (!isElement(node)) return node
  if (node.tagName === 'img') return plainImage(node)
  if (node.tagName !== 'a') return node
  // The way back from a footnote leads to a place in the page, of which there are none in a log of messages.
  if (node.properties.dataFootnoteBackref !== undefined) return text('')
  const address = textOf(node.properties.href)
  if (linkTo(address) !== undefined) return node
  if (node.properties.dataFootnoteRef !== undefined) return span('footnote', node.children)
  return span('address', [...node.children, text(' '), code(readable(address))])
}

function plainImage({ properties }: TreeElement): TreeElement {
  const address = textOf(properties.src)
  const alt = textOf(properties.alt)
  const link = linkTo(address)
  const shown =
    link === undefined ? code(readable(address)) : element('a', { href: link }, [text(readable(address))])
  return span('image', [text(alt === '' ? 'Image' : alt), text(' '), shown])
}

function isElement(node: TreeNode): node is TreeElement {
  return node.type === 'element'
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Markdown encodes what it takes for part of an address; people read it decoded, where that can be done. */
function readable(address: string): string {
  try {
    return decodeURI(address)
  } catch {
    return address
  }
}

function text(value: string): TreeText {
  return { type: 'text', value }
}

function code(value: string): TreeElement {
  return element('code', {}, [text(value)])
}

function span(kind: 'address' | 'image' | 'footnote', children: TreeNode[]): TreeElement {
  return element('span', { dataPlain: kind }, children)
}

function element(tagName: string, properties: Record<string, unknown>, children: TreeNode[]): TreeElement {
  return { type: 'element', tagName, properties, children }
}
