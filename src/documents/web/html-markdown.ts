import { type AnyNode, type Element, isTag, isText } from 'domhandler'
import { BLOCKS, inOneLine, readHtml, seenChildren, textContent } from './html-tree.ts'
import { markdownTable } from './markdown-table.ts'

/** HTML as Markdown: headings, lists, links, pictures, code, quotes and tables. What Markdown has no sign for stays as its text. */
export function htmlMarkdown(html: string): string {
  return blocksOf(seenChildren(readHtml(html)))
}

const MARKS: Readonly<Record<string, string>> = {
  b: '**',
  strong: '**',
  i: '_',
  em: '_',
  del: '~~',
  s: '~~',
  strike: '~~'
}
const SCHEMES = /^(?:https?:|mailto:|tel:|ftp:)/i
const HAS_SCHEME = /^\s*[A-Za-z][\w+.-]*:/

/** Blocks with an empty line between them. What stands in no block of its own is a paragraph with its neighbours. */
function blocksOf(nodes: readonly AnyNode[]): string {
  const blocks: string[] = []
  let inline: AnyNode[] = []
  const endParagraph = () => {
    const text = paragraph(inline)
    if (text !== '') blocks.push(text)
    inline = []
  }
  for (const node of nodes) {
    if (!isBlock(node)) {
      inline.push(node)
      continue
    }
    endParagraph()
    const text = blockOf(node as Element)
    if (text.trim() !== '') blocks.push(text)
  }
  endParagraph()
  return blocks.join('\n\n')
}

function isBlock(node: AnyNode): boolean {
  return isTag(node) && BLOCKS.has(node.name)
}

function blockOf(element: Element): string {
  const { name } = element
  const children = seenChildren(element)
  if (/^h[1-6]$/.test(name)) return `${'#'.repeat(Number(name[1]))} ${inLine(children)}`
  switch (name) {
    case 'hr':
      return '---'
    case 'pre':
      return fenced(textContent(element).replace(/^\n|\s+$/g, ''))
    case 'blockquote':
      return prefixed(blocksOf(children), '> ', '> ')
    case 'ul':
    case 'ol':
      return listOf(element)
    case 'table':
      return markdownTable(element, (cell) => inLine(seenChildren(cell)))
    default:
      return blocksOf(children)
  }
}

function listOf(list: Element): string {
  const items = seenChildren(list).filter((child): child is Element => isTag(child))
  const first = Number.parseInt(list.attribs.start ?? '1', 10) || 1
  return items
    .map((item, at) => {
      const mark = list.name === 'ol' ? `${first + at}. ` : '- '
      const own = item.name === 'li' ? blocksOf(seenChildren(item)) : blocksOf([item])
      return prefixed(own.replaceAll(/\n\n(?=\s*(?:[-*]|\d+\.) )/g, '\n'), mark, ' '.repeat(mark.length))
    })
    .join('\n')
}

function prefixed(text: string, first: string, others: string): string {
  const lines = text.split('\n')
  return lines.map((line, at) => `${at === 0 ? first : others}${line}`.trimEnd()).join('\n')
}

function fenced(code: string): string {
  const longest = (code.match(/`{3,}/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${code}\n${fence}`
}

function paragraph(nodes: readonly AnyNode[]): string {
  return inlineOf(nodes)
    .split('\n')
    .map((line) => line.replace(/ +/g, ' ').trim())
    .join('  \n')
    .replace(/^(?:\s*\n)+|(?:\s*\n)+$/g, '')
    .replace(/^(#{1,6} |[-+*] |> |\d+[.)] )/, '\\$1')
    .trim()
}

function inLine(nodes: readonly AnyNode[]): string {
  return paragraph(nodes).replace(/\s*\n\s*/g, ' ')
}

function inlineOf(nodes: readonly AnyNode[]): string {
  return nodes.map(inlineNode).join('')
}

function inlineNode(node: AnyNode): string {
  if (isText(node)) return escaped(inOneLine(node.data))
  if (!isTag(node)) return ''
  const { name, attribs } = node
  if (name === 'br') return '\n'
  if (name === 'img') return picture(attribs)
  if (name === 'code' || name === 'kbd' || name === 'samp') return codeSpan(textContent(node))
  const inner = BLOCKS.has(name) ? blocksOf(seenChildren(node)) : inlineOf(seenChildren(node))
  if (name === 'a') return link(inner, attribs.href)
  const mark = MARKS[name]
  return mark === undefined ? inner : marked(inner, mark)
}

/** A sign touches the word that it marks; space around it stays outside. */
function marked(text: string, mark: string): string {
  const words = text.trim()
  if (words === '') return text
  const [before, after] = text.split(words) as [string, string]
  return `${before}${mark}${words}${mark}${after}`
}

/** Between more signs than stand one after the other in it: else it would end there, and what follows would be Markdown. */
function codeSpan(text: string): string {
  if (text === '') return ''
  const longest = (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0)
  const fence = '`'.repeat(longest + 1)
  const space = longest === 0 ? '' : ' '
  return `${fence}${space}${inOneLine(text)}${space}${fence}`
}

function link(text: string, href: string | undefined): string {
  const address = safeAddress(href)
  return address === undefined || text.trim() === '' ? text : `[${text.trim()}](${address})`
}

function picture({ src, alt = '' }: Element['attribs']): string {
  const address = safeAddress(src)
  return address === undefined ? escaped(alt) : `![${escaped(inOneLine(alt))}](${address})`
}

/** No `javascript:`, however it is written. */
function safeAddress(address: string | undefined): string | undefined {
  // Browsers leave the ends of lines and other signs of control out of an address.
  const plain = address
    ?.trim()
    .replaceAll(/\p{Cc}/gu, '')
    .replaceAll(' ', '%20')
  if (plain === undefined || plain === '') return undefined
  if (HAS_SCHEME.test(plain) && !SCHEMES.test(plain)) return undefined
  // Markdown reads `\:` and `&colon;` in an address as a colon.
  return plain
    .replaceAll('\\', '%5C')
    .replaceAll(/&(?=#?\w{1,40};)/g, '&amp;')
    .replaceAll('(', '%28')
    .replaceAll(')', '%29')
}

/** An ampersand too, where it would be read with what follows as one letter. */
function escaped(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>]|&(?=#?\w{1,40};)/g, (sign) => `\\${sign}`)
}
