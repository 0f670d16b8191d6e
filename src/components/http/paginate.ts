import { compileTemplate, inField, type JsonValue, StepError, type Template } from '../../plugin-api.ts'
import { withParameters } from './build-url.ts'
import type { PAGINATIONS } from './fields.ts'

export type PaginationKind = (typeof PAGINATIONS)[number]

export interface Pagination {
  readonly kind: Exclude<PaginationKind, 'None'>
  readonly items: Template | undefined
  readonly next: Template | undefined
  readonly parameter: string
  readonly firstPage: number
  readonly maxPages: number
}

interface PaginationFields {
  readonly pagination: PaginationKind
  readonly items: string
  readonly next: string
  readonly page_parameter: string
  readonly first_page: number
  readonly max_pages: number
}

export function readPagination(fields: PaginationFields): Pagination | undefined {
  const { pagination: kind } = fields
  if (kind === 'None') return undefined
  return {
    kind,
    items: templateIn(fields.items),
    next: templateIn(fields.next),
    parameter: fields.page_parameter || (kind === 'Cursor' ? 'cursor' : 'page'),
    firstPage: fields.first_page,
    maxPages: fields.max_pages
  }
}

function templateIn(source: string): Template | undefined {
  return source.trim() === '' ? undefined : compileTemplate(source.trim())
}

/** What the output `response` gives out, and what the templates of a pagination read. */
export type Answer = {
  readonly status: number
  readonly headers: { [name: string]: string }
  readonly url: string
  readonly body: JsonValue
}

interface Pages {
  readonly items: JsonValue[]
  readonly count: number
  readonly last: Answer
}

/**
 * Reads page after page. Whatever goes wrong on one of them fails all: half a list that looks like the whole would be
 * worse than none. `ask` sends one request; `page` counts from 1. `origins`: links lead to no other.
 */
export async function readPages(
  { kind, items, next, parameter, firstPage, maxPages }: Pagination,
  url: string,
  ask: (url: string, page: number) => Promise<Answer>,
  origins?: ReadonlySet<string>
): Promise<Pages> {
  const all: JsonValue[] = []
  const asked = new Set<string>()
  let at = kind === 'Page number' ? withParameters(url, { [parameter]: firstPage }) : url
  for (let page = 1; ; page++) {
    if (page > maxPages) throw tooManyPages(maxPages)
    if (asked.has(at)) throw goesInCircles(page)
    asked.add(at)
    const last = await ask(at, page)
    const found = itemsOf(items, last, page)
    // Not spread into push: a page may have more items than a call takes arguments.
    for (const item of found) all.push(item)
    const following = followingUrl()
    if (following === undefined) return { items: all, count: page, last }
    at = following

    function followingUrl(): string | undefined {
      if (kind === 'Page number') {
        return found.length === 0 ? undefined : withParameters(url, { [parameter]: firstPage + page })
      }
      const named = next === undefined ? linkToNext(last) : nextOf(next, last)
      if (named === undefined) return undefined
      return kind === 'Cursor'
        ? withParameters(url, { [parameter]: named })
        : linkFrom(last.url, named, origins)
    }
  }
}

function itemsOf(items: Template | undefined, answer: Answer, page: number): readonly JsonValue[] {
  const found = items === undefined ? answer.body : inField('items', () => items.renderValue(answer))
  if (Array.isArray(found)) return found
  const where = items === undefined ? 'The body' : items.source
  throw new StepError(
    `${where} of page ${page} is not a list. Say in "Items of a page" where the list stands, such as {body.items}.`,
    { code: 'page_without_items', retryable: false }
  )
}

function linkFrom(url: string, link: string, origins: ReadonlySet<string> | undefined): string {
  const found = URL.parse(link, url)
  if (found?.protocol === 'https:' || found?.protocol === 'http:') {
    if (origins === undefined || origins.has(found.origin)) return found.href
    throw leavesOrigin(found.origin, origins)
  }
  throw new StepError(
    `The next page is said to be at ${JSON.stringify(link.slice(0, 200))}, which is not a URL. Check "Next page".`,
    {
      code: 'url_invalid',
      retryable: false
    }
  )
}

/** Whoever says again what it was sent could have it carried elsewhere, and the sign-in would not be sent there anyway. */
function leavesOrigin(to: string, origins: ReadonlySet<string>): StepError {
  return new StepError(
    `The next page is said to be at ${to}, and pages of a connection are read from ${[...origins].join(' and ')} only. Correct the base URL of the connection if that is where it belongs, or "Next page".`,
    { code: 'pagination_leaves_origin', retryable: false }
  )
}

/** Null, false and empty text say that there is none, as absence does. */
function nextOf(next: Template, answer: Answer): string | undefined {
  const named = inField('next', () => next.renderValue(answer))
  if (named === undefined || named === null || named === false || named === '') return undefined
  return String(named)
}

/** The link of the relation `next` in the header Link (RFC 8288). */
function linkToNext({ headers }: Answer): string | undefined {
  for (const [, address, parameters] of (headers.link ?? '').matchAll(
    /<([^>]*)>((?:\s*;\s*[\w*-]+\s*=\s*(?:"[^"]*"|[^\s",;]*))*)/g
  )) {
    const relation = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s",;]*))/i.exec(parameters!)
    if ((relation?.[1] ?? relation?.[2] ?? '').toLowerCase().split(/\s+/).includes('next')) return address
  }
  return undefined
}

function tooManyPages(most: number): StepError {
  return new StepError(
    `There are more than ${most} pages. Raise "Most pages" among the node's controls, or ask for less. Nothing was given out: part of a list would pass for all of it.`,
    { code: 'too_many_pages', retryable: false }
  )
}

function goesInCircles(page: number): StepError {
  return new StepError(
    `Page ${page} is one that was read before: the answers lead in circles. Check "Next page".`,
    { code: 'pagination_loop', retryable: false }
  )
}
