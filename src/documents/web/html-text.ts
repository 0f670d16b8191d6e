import { type AnyNode, type Document, type Element, isTag, isText } from 'domhandler'
import { BLOCKS, inOneLine, readHtml, seenChildren, textContent } from './html-tree.ts'

/** What people read of HTML: a line for each block, and an empty one around paragraphs. */
export function htmlText(html: string): string {
  return textOfTree(readHtml(html))
}

export function textOfTree(tree: Document): string {
  const writer = new TextWriter()
  for (const node of seenChildren(tree)) write(node, writer)
  return writer.toString()
}

/** They stand apart from what is around them. */
const APART = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'ul', 'ol', 'pre', 'blockquote'])

function write(node: AnyNode, writer: TextWriter): void {
  if (isText(node)) writer.text(inOneLine(node.data))
  else if (isTag(node)) writeElement(node, writer)
}

function writeElement(element: Element, writer: TextWriter): void {
  const { name } = element
  if (name === 'br') return writer.lineBreak()
  if (name === 'pre') {
    writer.lines(2)
    writer.asItIs(textContent(element).replace(/^\n/, '').trimEnd())
    return writer.lines(2)
  }
  const around = APART.has(name) ? 2 : BLOCKS.has(name) ? 1 : 0
  if (around > 0) writer.lines(around)
  if (name === 'li') writer.text('- ')
  if (name === 'td' || name === 'th') writer.cell()
  if (name === 'img') writer.text(element.attribs.alt ?? '')
  for (const child of seenChildren(element)) write(child, writer)
  if (around > 0) writer.lines(around)
}

/** Text with the lines that were asked for between its parts, and no space beside them. */
class TextWriter {
  readonly #pieces: string[] = []
  /** Ends of lines before the next text. */
  #lines = 0
  #space = false
  #isNew = true

  text(text: string): void {
    const isSpaced = text.startsWith(' ')
    const words = text.trim()
    if (words === '') {
      this.#space ||= text !== '' && this.#lines === 0
      return
    }
    const gap = this.#lines === 0 && (this.#space || isSpaced) ? ' ' : ''
    this.asItIs(gap + words, gap === '')
    this.#space = text.endsWith(' ')
  }

  asItIs(text: string, isFirst = true): void {
    if (!this.#isNew) this.#pieces.push('\n'.repeat(this.#lines))
    this.#pieces.push(this.#isNew && !isFirst ? text.slice(1) : text)
    this.#isNew = false
    this.#lines = 0
    this.#space = false
  }

  lines(count: number): void {
    this.#lines = Math.max(this.#lines, count)
    this.#space = false
  }

  lineBreak(): void {
    this.#lines = Math.min(2, this.#lines + 1)
    this.#space = false
  }

  /** Cells of a row are separated by a tab. */
  cell(): void {
    if (this.#lines === 0 && !this.#isNew) this.#pieces.push('\t')
    this.#space = false
  }

  toString(): string {
    return this.#pieces.join('')
  }
}
