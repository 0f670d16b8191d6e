import { SaxesParser } from 'saxes'
import { brokenDocument } from '../document-fault.ts'
import type { Extracted } from '../extracted.ts'
import { slidesOf } from './slides.ts'
import { readZip } from './zip.ts'

/** The text of a DOCX as a whole, and of a PPTX slide by slide. */
export async function readOffice(type: 'docx' | 'pptx', bytes: Uint8Array): Promise<Extracted> {
  try {
    const zip = await readZip(bytes)
    const pages: string[] = []
    for (const part of type === 'docx' ? ['word/document.xml'] : await slidesOf(zip))
      pages.push(textOf(await zip.text(part)))
    return { text: pages.join('\n\n'), data: { pages } }
  } catch (error) {
    throw brokenDocument(`a ${type.toUpperCase()}`, error)
  }
}

const MOST_DEPTH = 1_000
/** What ends a line, and what separates cells of one. */
const LINES = new Set(['w:p', 'a:p', 'w:br', 'a:br', 'w:cr', 'w:tr', 'a:tr'])
const TEXTS = new Set(['w:t', 'a:t'])
/** What older programs show in place of a text box, which says the same again. */
const SAID_AGAIN = 'mc:Fallback'
/** Of one cell. */
const BETWEEN_LINES = ' '

/** What stands in paragraphs, a line for each; cells of a row are separated by a tab. */
function textOf(xml: string): string {
  // Joined at the end: to look at the end of a long text that grows would copy all of it each time.
  const text: string[] = []
  let depth = 0
  let isText = false
  let cells = 0
  let again = 0
  const parser = new SaxesParser()
  parser.on('opentag', ({ name }) => {
    depth += 1
    if (depth > MOST_DEPTH) throw new Error('it is nested too deep')
    if (name === SAID_AGAIN) again += 1
    if (again > 0) return
    if (TEXTS.has(name)) isText = true
    else if (name === 'w:tab') text.push('\t')
    else if (name === 'w:noBreakHyphen') text.push('-')
    else if (name === 'w:tc' || name === 'a:tc') cells += 1
  })
  parser.on('closetag', ({ name }) => {
    depth -= 1
    if (name === SAID_AGAIN) again -= 1
    if (again > 0) return
    if (TEXTS.has(name)) isText = false
    else if (name === 'w:tc' || name === 'a:tc') {
      cells -= 1
      if (text.at(-1) === BETWEEN_LINES) text.pop()
      text.push('\t')
    } else if (LINES.has(name)) text.push(cells > 0 && !name.endsWith(':tr') ? BETWEEN_LINES : '\n')
  })
  parser.on('text', (part) => {
    if (isText) text.push(part)
  })
  parser.on('error', (error) => {
    throw error
  })
  parser.write(xml).close()
  return text
    .join('')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim()
}
