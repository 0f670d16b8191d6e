import MarkdownIt, { type RendererRule, type Token } from 'markdown-it'

/** Where a document is shown: what a link or a picture in it becomes there. */
export interface DocPlace {
  /** `senders.md#keys` or `#keys`, as it stands in the document; undefined for what is not shown there. */
  readonly linkTo: (target: string) => string | undefined
  readonly picture: (path: string) => string
}

export interface DocSection {
  /** What leads to it in the document; empty for the document itself. */
  readonly id: string
  readonly heading: string
  readonly beginning: string
  /** Each word of it once. */
  readonly words: string
}

export interface Doc {
  readonly title: string
  readonly html: string
  readonly headings: readonly { readonly id: string; readonly text: string; readonly level: number }[]
  readonly sections: readonly DocSection[]
}

const BEGINNING = 140
const WEB = /^https?:\/\//

/** A document of docs/ as HTML with the anchors that GitHub gives it, so that a link works on both. */
export function compileDoc(text: string, place: DocPlace): Doc {
  const markdown = new MarkdownIt({ html: false })
  Object.assign(markdown.renderer.rules, RULES)
  const tokens = markdown.parse(text, {})
  const headings = nameHeadings(tokens)
  const sections = sectionsOf(tokens)
  for (const token of tokens) if (token.children !== null) token.children = placed(token.children, place)
  const html = markdown.renderer.render(tokens, markdown.options, {})
  return { title: headings[0]?.text ?? '', html, headings, sections }
}

/** What is wider than a phone scrolls by itself, by keyboard too. */
const RULES: Readonly<Record<string, RendererRule>> = {
  table_open: () => '<div class="wide" tabindex="0" role="group" aria-label="Table">\n<table>\n',
  table_close: () => '</table>\n</div>\n',
  fence: (tokens, index) =>
    `<div class="code"><pre tabindex="0"><code>${escaped(tokens[index]!.content)}</code></pre><button type="button" class="copy">Copy</button></div>\n`
}

function nameHeadings(tokens: readonly Token[]): Doc['headings'] {
  const taken = new Map<string, number>()
  return tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open') return []
    const text = plain(tokens[index + 1]!.children ?? [])
    const id = slugOf(text, taken)
    token.attrSet('id', id)
    token.attrSet('tabindex', '-1')
    return [{ id, text, level: Number(token.tag.slice(1)) }]
  })
}

/** As GitHub names headings. */
export function slugOf(heading: string, taken: Map<string, number>): string {
  const slug = heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
  const times = taken.get(slug) ?? 0
  taken.set(slug, times + 1)
  return times === 0 ? slug : `${slug}-${times}`
}

function sectionsOf(tokens: readonly Token[]): DocSection[] {
  const parts: { id: string; heading: string; texts: string[] }[] = []
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const id = parts.length === 0 ? '' : String(token.attrGet('id'))
      parts.push({ id, heading: plain(tokens[index + 1]!.children ?? []), texts: [] })
    } else if (token.type === 'fence') parts.at(-1)?.texts.push(token.content)
    else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open')
      parts.at(-1)?.texts.push(plain(token.children ?? []))
  }
  return parts.map(({ id, heading, texts }) => ({
    id,
    heading,
    beginning: shortened(texts[0] ?? ''),
    words: [...new Set(wordsOf(texts.join(' ')))].join(' ')
  }))
}

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
}

function shortened(text: string): string {
  if (text.length <= BEGINNING) return text
  return `${text.slice(0, text.lastIndexOf(' ', BEGINNING))}…`
}

function plain(children: readonly Token[]): string {
  return children.map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('')
}

function placed(children: readonly Token[], place: DocPlace): Token[] {
  const missing: string[] = []
  return children.flatMap((token) => {
    if (token.type === 'image') {
      token.attrSet('src', place.picture(String(token.attrGet('src'))))
      token.attrSet('loading', 'lazy')
    }
    if (token.type === 'link_open') {
      const target = String(token.attrGet('href'))
      const address = WEB.test(target) ? target : place.linkTo(target)
      if (address === undefined) missing.push(target)
      else {
        token.attrSet('href', address)
        if (WEB.test(target)) {
          token.attrSet('target', '_blank')
          token.attrSet('rel', 'noreferrer')
        }
        missing.push('')
      }
      return address === undefined ? [] : [token]
    }
    if (token.type !== 'link_close') return [token]
    const target = missing.pop()!
    return target === '' ? [token] : [besideIt(token, target)]
  })
}

/** What is in the repository alone is named by its path. */
function besideIt(token: Token, target: string): Token {
  token.type = 'html_inline'
  token.content = ` (<code>${escaped(inRepository(target))}</code>)`
  return token
}

function inRepository(target: string): string {
  return target.startsWith('../') ? target.slice(3) : `docs/${target}`
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
