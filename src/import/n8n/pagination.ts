import { bounded, type Members, membersIn, membersOf, textOf } from '../values.ts'
import type { Writer } from './writer.ts'

const ITEMS =
  'Say in "Items of a page" where the list stands in an answer, unless the answer is the list: the items of all pages come as one list, where n8n gave each page.'

/** How an API Request gets the pages that a request of n8n asked for. A file leaves out the mode that is as n8n has it. */
export function paginationOf(options: Members, write: Writer): Record<string, unknown> {
  const set = membersOf(membersOf(options.pagination).pagination)
  const mode = textOf(set.paginationMode) || 'updateAParameterInEachRequest'
  if (Object.keys(set).length === 0 || mode === 'off') return {}
  const most = { max_pages: bounded(set.maxRequests, 1, 10_000) ?? 100 }
  if (mode === 'responseContainsNextURL') {
    write.tell(`Look at "next": it is where the address of the next page stands. ${ITEMS}`)
    return { pagination: 'Next link', ...nextOf(textOf(set.nextURL)), ...most }
  }
  const [parameter] = membersIn(membersOf(set.parameters).parameters)
  const paged = byParameter(textOf(parameter?.value))
  const isQuery = /^(?:|qs|query|queryString)$/.test(textOf(parameter?.type))
  if (paged === undefined || !isQuery) {
    write.tell(
      'It read further pages by what no field says: only the first is read here. Put the request into a Repeat, or take "Pagination".'
    )
    return {}
  }
  write.tell(ITEMS)
  return { ...paged, page_parameter: textOf(parameter?.name) || 'page', ...most }
}

function byParameter(value: string): Record<string, unknown> | undefined {
  const next = nextOf(value)
  if (next.next !== undefined) return { pagination: 'Cursor', ...next }
  const counted = /^=?\s*\{\{\s*\$pageCount\s*(?:\+\s*(\d{1,4})\s*)?\}\}$/.exec(value)
  if (counted !== null) return { pagination: 'Page number', first_page: Number(counted[1] ?? 0) }
  return /^=?\s*\{\{\s*\$request\.qs\.\w+\s*\+\s*1\s*\}\}$/.test(value)
    ? { pagination: 'Page number' }
    : undefined
}

/** Where it stands in the body; in the header Link where the file looks there. */
function nextOf(value: string): { next?: string } {
  const path = /\$response\.body((?:\.\w+|\[(?:"[^"{}?\]]+"|'[^'{}?\]]+')\])+)/.exec(value)?.[1]
  return path === undefined ? {} : { next: `{body${path.replace(/\[["']([^\]]+)["']\]/g, '[$1]')}?}` }
}
