import { withoutLoads } from './without-loads.ts'

/** A page that can be parsed without a style being applied or a handler being made, and its styles. */
interface SeparateStyles {
  /** Attributes such as `style` and `onclick` are called `data-style` and `data-onclick`; there are no style sheets. */
  readonly html: string
  readonly sheets: readonly string[]
}

const TAG_NAME = /<([a-z][^\s/>]*)/iy
/** One attribute, or what stands between two, as a browser reads them. */
const ATTRIBUTE = /[\s/]+|([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>][^\s>]*|["'][^\s>]*)?)?/y
const REFUSED_NAME = /^(?:style|on[a-z]+)$/i
const SHEET_END = /<\/style(?=[\s/>])[^>]*>?/gi

/**
 * The policy of the page lets nothing of a mail be a style or a handler, not even while its HTML is parsed. What is set on elements by
 * script is let through: so the styles are taken out of the text first.
 *
 * Every letter is looked at once: whoever sends a payload may choose all of them.
 */
export function separateStyles(html: string): SeparateStyles {
  const kept: string[] = []
  const sheets: string[] = []
  let at = 0
  while (at < html.length) {
    const start = html.indexOf('<', at)
    if (start < 0) break
    kept.push(html.slice(at, start))
    const tag = readTag(html, start)
    at = tag.end
    if (tag.name !== 'style') kept.push(tag.text)
    else {
      const sheet = readSheet(html, at)
      sheets.push(withoutLoads(sheet.text))
      at = sheet.end
    }
  }
  return { html: kept.join('') + html.slice(at), sheets }
}

interface Tag {
  /** Empty where the sign begins no tag. */
  readonly name: string
  /** As it is to be parsed. */
  readonly text: string
  readonly end: number
}

function readTag(html: string, start: number): Tag {
  TAG_NAME.lastIndex = start
  const name = TAG_NAME.exec(html)?.[1]
  if (name === undefined) return readOther(html, start)
  const parts = [`<${name}`]
  let at = TAG_NAME.lastIndex
  while (at < html.length && html[at] !== '>') {
    ATTRIBUTE.lastIndex = at
    const [text = html[at]!, attribute = ''] = ATTRIBUTE.exec(html) ?? []
    parts.push(
      REFUSED_NAME.test(attribute) ? `data-${attribute.toLowerCase()}${text.slice(attribute.length)}` : text
    )
    at += text.length
  }
  return { name: name.toLowerCase(), text: `${parts.join('')}${html[at] ?? ''}`, end: at + 1 }
}

/** A comment, in which nothing is a tag; or a sign that is only itself. */
function readOther(html: string, start: number): Tag {
  if (!html.startsWith('<!--', start)) return { name: '', text: '<', end: start + 1 }
  const close = html.indexOf('-->', start + 2)
  const end = close < 0 ? html.length : close + 3
  return { name: '', text: html.slice(start, end), end }
}

function readSheet(html: string, start: number): { readonly text: string; readonly end: number } {
  SHEET_END.lastIndex = start
  const close = SHEET_END.exec(html)
  if (close === null) return { text: html.slice(start), end: html.length }
  return { text: html.slice(start, close.index), end: close.index + close[0].length }
}
