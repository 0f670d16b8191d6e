import { parseFeed } from '@rowanmanning/feed-parser'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import { brokenDocument } from '../document-fault.ts'

/** The items of RSS, Atom or RDF, the newest wherever the feed has it. */
export function feedItems(xml: string): JsonValue {
  try {
    const feed = parseFeed(xml.trimStart())
    // Every item asks for it, and to find it takes as long as the feed is.
    Object.defineProperty(feed, 'url', { value: feed.url })
    return feed.items.map(({ id, title, url, published, updated, content, description }) => ({
      id: id ?? url ?? title,
      title,
      link: url,
      published: dateText(published ?? updated),
      content: content ?? description
    }))
  } catch (error) {
    throw brokenDocument('a feed (RSS or Atom)', error)
  }
}

function dateText(date: Date | null): string | null {
  return date === null || Number.isNaN(date.getTime()) ? null : date.toISOString()
}
