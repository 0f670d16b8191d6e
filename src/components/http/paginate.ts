import {
  type Carried,
  compileTemplate,
  inField,
  isPlainObject,
  type JsonValue,
  readDuration,
  StepError,
  type Template,
  type TemplateScope
} from '../../plugin-api.ts'
import { withParameters } from './build-url.ts'
import type { PAGINATIONS } from './fields.ts'
import type { ByteAllowance } from './read-bytes.ts'

export type PaginationKind = (typeof PAGINATIONS)[number]

export interface Pagination {
  readonly kind: Exclude<PaginationKind, 'None'>
  readonly items: Template | undefined
  readonly next: Template | undefined
  readonly parameter: string
  readonly firstPage: number
  readonly maxPages: number
  readonly pause: string
}

interface PaginationFields {
  readonly pagination: PaginationKind
  readonly items: string
  readonly next: string
  readonly page_parameter: string
  readonly first_page: number
  readonly max_pages: number
  readonly pause: string
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
    maxPages: fields.max_pages,
    pause: fields.pause
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

/** How pages are asked for. */
interface Asking {
  /** Sends one request; `page` counts from 1. */
  readonly ask: (url: string, page: number) => Promise<Answer>
  /** Links lead to no other. */
  readonly origins: ReadonlySet<string> | undefined
  readonly carried: Carried
  /** Of the context and of the run. */
  readonly variables: TemplateScope['variables']
  /** For all pages together, those of earlier attempts too. */
  readonly allowance: Pick<ByteAllowance, 'spent' | 'take' | 'giveBack'>
  readonly signal: AbortSignal
}

/**
 * Reads page after page. Whatever goes wrong on one of them fails all: half a list that looks like the whole would be
 * worse than none. The next attempt goes on with the page that this one had reached; where the service does not know that page any
 * more, it begins anew.
 */
export async function readPages(pagination: Pagination, url: string, asking: Asking): Promise<Pages> {
  const first = firstPageOf(pagination, url)
  const reached = pagesIn(await asking.carried.earlier(), first)
  if (reached.length === 0) return readFrom([], first, pagination, url, asking)
  asking.allowance.take(reached.at(-1)!.bytes)
  let isStale = false
  const ask: Asking['ask'] = async (at, page) => {
    try {
      return await asking.ask(at, page)
    } catch (error) {
      isStale = page === reached.length + 1 && error instanceof StepError && !error.retryable
      throw error
    }
  }
  try {
    return await readFrom(reached, reached.at(-1)!.next, pagination, url, { ...asking, ask })
  } catch (error) {
    if (!isStale) throw error
    asking.allowance.giveBack()
    return readFrom([], first, pagination, url, asking)
  }
}

/** A page that was read, and the address of the one after it. */
interface ReadPage {
  readonly at: string
  readonly items: readonly JsonValue[]
  readonly next: string
  /** Of this page and those before it. */
  readonly bytes: number
}

async function readFrom(
  reached: readonly ReadPage[],
  from: string,
  pagination: Pagination,
  url: string,
  { ask, origins, carried, variables, allowance, signal }: Asking
): Promise<Pages> {
  const { items, maxPages } = pagination
  const all = reached.flatMap((page) => page.items)
  const asked = new Set(reached.map(({ at }) => at))
  let at = from
  for (let page = reached.length + 1; ; page++) {
    if (page > maxPages) throw tooManyPages(maxPages)
    if (asked.has(at)) throw goesInCircles(page)
    asked.add(at)
    const last = await ask(at, page)
    const found = itemsOf({ items, variables }, last, page)
    // Not spread into push: a page may have more items than a call takes arguments.
    for (const item of found) all.push(item)
    const next = followingUrl(pagination, url, { last, found, page, origins, variables })
    if (next === undefined) return { items: all, count: page, last }
    await carried.add({ at, items: [...found], next, bytes: allowance.spent }, page === 1)
    const pause = pauseOf(pagination.pause)
    if (pause > 0) await passTime(pause, signal)
    at = next
  }
}

function firstPageOf({ kind, parameter, firstPage }: Pagination, url: string): string {
  return kind === 'Page number' ? withParameters(url, { [parameter]: firstPage }) : url
}

/** Those that an earlier attempt has read, where it began with the same address. */
function pagesIn(carried: readonly JsonValue[], first: string): readonly ReadPage[] {
  const pages = carried.filter(isPlainObject) as unknown as readonly ReadPage[]
  return pages[0]?.at === first ? pages : []
}

interface PageRead {
  readonly last: Answer
  readonly found: readonly JsonValue[]
  readonly page: number
  readonly origins: ReadonlySet<string> | undefined
  readonly variables: TemplateScope['variables']
}

function followingUrl(
  { kind, next, parameter, firstPage }: Pagination,
  url: string,
  { last, found, page, origins, variables }: PageRead
): string | undefined {
  if (kind === 'Page number')
    return found.length === 0 ? undefined : withParameters(url, { [parameter]: firstPage + page })
  const named = next === undefined ? linkToNext(last) : nextOf(next, last, variables)
  if (named === undefined) return undefined
  return kind === 'Cursor' ? withParameters(url, { [parameter]: named }) : linkFrom(last.url, named, origins)
}

function passTime(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
}

/** More would be a wait, and a step waits for its pages in memory. */
const LONGEST_PAUSE_MS = 60_000

/** What is wrong with the text; undefined where nothing is, or where a run has to tell. */
export function pauseFault(pause = ''): string | undefined {
  // A variable of the context is filled in when the step runs.
  if (pause.trim() === '' || pause.includes('{$')) return undefined
  const read = readDuration(pause)
  if (typeof read !== 'number') return read.wrong
  return read > LONGEST_PAUSE_MS ? `${pause} is longer than a minute. Write a shorter time.` : undefined
}

function pauseOf(pause: string): number {
  const wrong = pauseFault(pause)
  const read = pause.trim() === '' ? 0 : readDuration(pause)
  if (wrong === undefined && typeof read === 'number') return read
  throw new StepError(`Field "pause": ${wrong ?? pause}`, { code: 'invalid_duration', retryable: false })
}

function itemsOf(
  { items, variables }: Pick<Pagination, 'items'> & Pick<Asking, 'variables'>,
  answer: Answer,
  page: number
): readonly JsonValue[] {
  const found =
    items === undefined ? answer.body : inField('items', () => items.renderValue(answer, variables))
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
function nextOf(next: Template, answer: Answer, variables: Asking['variables']): string | undefined {
  const named = inField('next', () => next.renderValue(answer, variables))
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
