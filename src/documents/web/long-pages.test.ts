import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { feedItems } from './feed-items.ts'
import { htmlMarkdown } from './html-markdown.ts'
import { htmlText } from './html-text.ts'
import { selectValues } from './select-values.ts'

/** Each takes a tenth of that by itself. */
const MOST_MS = 3_000

/** In processor time, as others may have the processor. */
function inTime<R>(work: () => R): R {
  const before = process.cpuUsage()
  const done = work()
  const { user, system } = process.cpuUsage(before)
  assert.ok((user + system) / 1_000 < MOST_MS, `it took ${(user + system) / 1_000} ms`)
  return done
}

describe('work on a long page grows with its length', () => {
  it('as Markdown and text: empty lines, and spaces before the end of a line', () => {
    for (const html of [`a${'<br>'.repeat(5_000)}b`, `<pre>a${' '.repeat(100_000)}b`]) {
      inTime(() => htmlMarkdown(html))
      inTime(() => htmlText(html))
    }
  })

  it('in what selectors find among many elements beside each other', () => {
    const page = '<i>a</i><b>b</b>'.repeat(20_000)
    const found = inTime(() => selectValues(page, { each: 'i', values: { own: '', next: 'b' } }))
    assert.equal((found as unknown[]).length, 20_000)
    inTime(() => selectValues(`<p>${page}`, { each: 'p', values: { next: 'i + u' } }))
  })

  it('in a feed of many items', () => {
    const entry = '<entry><id>a</id><link href="/x"/></entry>'
    const link = '<link href="https://a.example/"/>'
    const feed = `<feed xmlns="http://www.w3.org/2005/Atom">${entry.repeat(5_000)}${link}</feed>`
    const items = inTime(() => feedItems(feed)) as { link: string }[]
    assert.deepEqual([items.length, items[0]!.link], [5_000, 'https://a.example/x'])
  })
})
