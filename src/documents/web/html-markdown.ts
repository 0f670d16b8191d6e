import { type AnyNode, type Document, type Element, isTag, isText } from 'domhandler'
import { BLOCKS, inOneLine, readHtml, seenChildren, textContent } from './html-tree.ts'
import { asHeadingText, asPlainLine, escaped } from './markdown-escapes.ts'
import { safeAddress } from './markdown-links.ts'
import { markdownTable } from './markdown-table.ts'

/** HTML as Markdown: headings, lists, links, pictures, code, quotes and tables. What Markdown has no sign for stays as its text. */
export function htmlMarkdown(html: string): string {
  const tree = readHtml(html)
  return new MarkdownWriter(tree).blocksOf(seenChildren(tree))
}

/** What stands around the words of an element: signs, or the address of a link. */
type Around = (text: string) => string

const asItIs: Around = (text) => text

const MARKS: Readonly<Record<string, string>> = {
  b: '**',
  strong: '**',
  i: '*',
  em: '*',
  del: '~~',
  s: '~~',
  strike: '~~'
}

/** Markdown takes a number of so many digits for that of an item. */
const HIGHEST_NUMBER = 999_999_999

class MarkdownWriter {
  /** Elements that hold blocks and are none themselves, such as a link around a heading and a text. */
  readonly #holders: ReadonlySet<AnyNode>

  constructor(tree: Document) {
    this.#holders = holdersIn(tree)
  }

  /** Blocks with an empty line between them. What stands in no block of its own is a paragraph with its neighbours. */
  blocksOf(nodes: readonly AnyNode[], around = asItIs, beforeList = '\n\n'): string {
    let blocks = ''
    let inline: AnyNode[] = []
    const add = (text: string, space: string) => {
      if (text.trim() !== '') blocks += blocks === '' ? text : `${space}${text}`
    }
    const endParagraph = () => {
      add(this.#paragraph(inline, around), '\n\n')
      inline = []
    }
    for (const node of nodes) {
      if (!this.#isBlock(node)) {
        inline.push(node)
        continue
      }
      endParagraph()
      add(this.#blockOf(node as Element, around), isList(node as Element) ? beforeList : '\n\n')
    }
    endParagraph()
    return blocks
  }

  #isBlock(node: AnyNode): boolean {
    return isTag(node) && (BLOCKS.has(node.name) || this.#holders.has(node))
  }

  #blockOf(element: Element, around: Around): string {
    const { name } = element
    const children = seenChildren(element)
    if (/^h[1-6]$/.test(name))
      return `${'#'.repeat(Number(name[1]))} ${asHeadingText(this.#line(children, around))}`
    switch (name) {
      case 'hr':
        return '---'
      case 'pre':
        return fenced(textContent(element).replace(/^\n/, '').trimEnd())
      case 'blockquote':
        return prefixed(this.blocksOf(children, around), '> ', '> ')
      case 'ul':
      case 'ol':
        return this.#list(element, around)
      case 'table':
        return markdownTable(element, (cell) => this.#line(seenChildren(cell), around))
      default:
        return this.blocksOf(children, this.#holders.has(element) ? within(around, element) : around)
    }
  }

  #list(list: Element, around: Around): string {
    const items = seenChildren(list).filter((child): child is Element => isTag(child))
    const first = firstNumber(list)
    return items
      .map((item, at) => {
        const mark = list.name === 'ol' ? `${Math.min(first + at, HIGHEST_NUMBER)}. ` : '- '
        const own = this.blocksOf(item.name === 'li' ? seenChildren(item) : [item], around, '\n')
        return prefixed(own, mark, ' '.repeat(mark.length))
      })
      .join('\n')
  }

  #paragraph(nodes: readonly AnyNode[], around: Around): string {
    return around(this.#inline(nodes))
      .split('\n')
      .map((line) => asPlainLine(line.replace(/ +/g, ' ').trim()))
      .join('  \n')
      .trim()
  }

  #line(nodes: readonly AnyNode[], around: Around): string {
    return this.#paragraph(nodes, around)
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
      .join(' ')
  }

  #inline(nodes: readonly AnyNode[]): string {
    return nodes.map((node) => this.#inlineNode(node)).join('')
  }

  #inlineNode(node: AnyNode): string {
    if (isText(node)) return escaped(inOneLine(node.data))
    if (!isTag(node)) return ''
    const { name, attribs } = node
    if (name === 'br') return '\n'
    if (name === 'img') return picture(attribs)
    if (isCode(node)) return codeSpan(textContent(node))
    // Only in a cell or a heading, which are one line.
    if (this.#isBlock(node)) return `\n${this.blocksOf([node])}\n`
    return aroundOf(node)(this.#inline(seenChildren(node)))
  }
}

/** Found from the inside out, each element once. */
function holdersIn(tree: Document): Set<AnyNode> {
  const holders = new Set<AnyNode>()
  const holdsBlock = (node: AnyNode): boolean => {
    if (!isTag(node)) return false
    const children = seenChildren(node).map(holdsBlock)
    if (BLOCKS.has(node.name)) return true
    if (!children.includes(true) || isCode(node)) return false
    holders.add(node)
    return true
  }
  for (const node of seenChildren(tree)) holdsBlock(node)
  return holders
}

function isCode({ name }: Element): boolean {
  return name === 'code' || name === 'kbd' || name === 'samp'
}

/** Only one that begins with 1 may follow a text without an empty line. */
function isList(element: Element): boolean {
  return element.name === 'ul' || (element.name === 'ol' && firstNumber(element) === 1)
}

function firstNumber({ attribs }: Element): number {
  const first = Number.parseInt(attribs.start ?? '1', 10)
  return Number.isNaN(first) ? 1 : Math.max(0, Math.min(first, HIGHEST_NUMBER))
}

function within(around: Around, element: Element): Around {
  const own = aroundOf(element)
  return (text) => around(own(text))
}

/** Line by line, since none of it goes on behind an empty one. */
function aroundOf({ name, attribs }: Element): Around {
  const mark = MARKS[name]
  const address = name === 'a' ? safeAddress(attribs.href) : undefined
  if (mark === undefined && address === undefined) return asItIs
  const signs = mark === undefined ? ['[', `](${address})`] : [mark, mark]
  return (text) =>
    text
      .split('\n')
      .map((line) => between(line, signs[0]!, signs[1]!))
      .join('\n')
}

/** Signs touch the words that they are for; space around these stays outside. */
function between(text: string, before: string, after: string): string {
  const words = text.trim()
  if (words === '') return text
  const from = text.indexOf(words)
  return `${text.slice(0, from)}${before}${words}${after}${text.slice(from + words.length)}`
}

function prefixed(text: string, first: string, others: string): string {
  const withPrefix = (line: string, prefix: string) => (line === '' ? prefix.trimEnd() : `${prefix}${line}`)
  return text
    .split('\n')
    .map((line, at) => withPrefix(line, at === 0 ? first : others))
    .join('\n')
}

function fenced(code: string): string {
  const fence = '`'.repeat(Math.max(3, longestOf(code) + 1))
  return `${fence}\n${code}\n${fence}`
}

/** Between more signs than stand one after the other in it: else it would end there, and what follows would be Markdown. */
function codeSpan(text: string): string {
  if (text === '') return ''
  const longest = longestOf(text)
  const fence = '`'.repeat(longest + 1)
  const space = longest === 0 ? '' : ' '
  return `${fence}${space}${inOneLine(text)}${space}${fence}`
}

/** Of the rows of backticks in it. */
function longestOf(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0)
}

function picture({ src, alt = '' }: Element['attribs']): string {
  const address = safeAddress(src)
  const text = escaped(inOneLine(alt))
  return address === undefined ? text : `![${text}](${address})`
}
