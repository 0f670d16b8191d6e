import { selectOne } from 'css-select'
import type { Extracted } from '../extracted.ts'
import { textOfTree } from '../web/html-text.ts'
import { readHtml, textContent } from '../web/html-tree.ts'

/** A page of the web: what people see of it, and its title. */
export function readPage(html: string): Extracted {
  const tree = readHtml(html)
  const title = selectOne('title', tree.children)
  const text = textOfTree(tree)
  return { text, data: { title: title === null ? null : textContent(title).trim(), pages: [text] } }
}
