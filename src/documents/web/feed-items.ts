import { hash } from 'node:crypto'
import { parseFeed } from '@rowanmanning/feed-parser'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import { brokenDocument } from '../document-fault.ts'

/** The items of RSS, Atom or RDF, the newest wherever the feed has it. */
export function feedItems(xml: string): JsonValue {
  try {
    const feed = parseFeed(xml.trimStart())
    // Every item asks for it, and to find it takes as long as the feed is.
    Object.defineProperty(feed, 'url', { value: feed.url })
    const read = feed.items.map(readItem)
    const times = timesOf(read.map(({ link }) => link))
    return read.map((item) => ({ ...item, id: item.id ?? idOf(item, times) }))
  } catch (error) {
    throw brokenDocument('a feed (RSS or Atom)', error)
  }
}

type FeedItem = ReturnType<typeof parseFeed>['items'][number]

interface ReadItem {
  readonly [name: string]: string | null
  readonly id: string | null
  readonly title: string | null
  readonly link: string | null
  readonly published: string | null
  readonly content: string | null
}

function readItem({ id, title, url, published, updated, content, description }: FeedItem): ReadItem {
  return {
    id,
    title,
    link: url,
    published: dateText(published ?? updated),
    content: content ?? description
  }
}

/** Of an item that names none: its address where that is its own, else what it says and when. */
function idOf(
  { title, link, published, content }: ReadItem,
  times: ReadonlyMap<string | null, number>
): string {
  if (link !== null && times.get(link) === 1) return link
  const said = [link, title ?? content, published]
  return hash('sha256', JSON.stringify(said), 'base64url').slice(0, 22)
}

function timesOf(links: readonly (string | null)[]): ReadonlyMap<string | null, number> {
  const times = new Map<string | null, number>()
  for (const link of links) times.set(link, (times.get(link) ?? 0) + 1)
  return times
}

function dateText(date: Date | null): string | null {
  return date === null || Number.isNaN(date.getTime()) ? null : date.toISOString()
}
