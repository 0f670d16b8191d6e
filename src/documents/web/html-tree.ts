import { type AnyNode, type Document, type Element, isTag, isText } from 'domhandler'
import { DomHandler, Parser } from 'htmlparser2'
import { brokenDocument } from '../document-fault.ts'

/** Browsers go no deeper than 512. All that goes through the tree calls itself for each level. */
const MOST_DEPTH = 1_000

class BoundedHandler extends DomHandler {
  override onopentag(name: string, attributes: Record<string, string>): void {
    if (this.tagStack.length > MOST_DEPTH) throw new Error(`it is nested deeper than ${MOST_DEPTH} elements`)
    super.onopentag(name, attributes)
  }
}

export function readHtml(html: string): Document {
  try {
    const handler = new BoundedHandler()
    new Parser(handler, { decodeEntities: true }).end(html)
    return handler.root
  } catch (error) {
    throw brokenDocument('HTML', error)
  }
}

/** What nobody reads. */
const UNSEEN: ReadonlySet<string> = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'head',
  'title',
  'svg',
  'iframe',
  'object',
  'canvas'
])

/** What begins on a line of its own. */
export const BLOCKS: ReadonlySet<string> = new Set(
  'address article aside blockquote body details dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol p pre section summary table tbody tfoot thead tr ul'.split(
    ' '
  )
)

/** All text below a node as it stands there. */
export function textContent(node: AnyNode): string {
  const pieces: string[] = []
  collect(node, pieces)
  return pieces.join('')
}

function collect(node: AnyNode, pieces: string[]): void {
  if (isText(node)) pieces.push(node.data)
  else if ('children' in node) for (const child of node.children) collect(child, pieces)
}

/** The children of an element of which something is seen. */
export function seenChildren({ children }: Element | Document): AnyNode[] {
  return children.filter((child) => isText(child) || (isTag(child) && !UNSEEN.has(child.name)))
}

/** As browsers show it: whatever space there is counts as one. */
export function inOneLine(text: string): string {
  return text.replace(/[ \t\r\n\f]+/g, ' ')
}
