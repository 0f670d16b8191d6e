import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { feedItems } from './feed-items.ts'

const idsIn = (items: string) =>
  (feedItems(`<rss version="2.0"><channel>${items}</channel></rss>`) as { readonly id: string }[]).map(
    ({ id }) => id
  )

describe('the ids of items of a feed', () => {
  it('are those that it names, else the address of the item', () => {
    const items =
      '<item><guid>a</guid><link>https://a.example/1</link></item><item><link>https://a.example/2</link></item>'
    assert.deepEqual(idsIn(items), ['a', 'https://a.example/2'])
  })

  it('are made of what items say that have none, or share an address', () => {
    const item = (title: string, day: number) =>
      `<item>${title}<link>https://status.example/</link><pubDate>0${day} Mar 2026 10:00:00 GMT</pubDate></item>`
    const shared = [
      item('<title>Down</title>', 2),
      item('<title>Up</title>', 2),
      item('<title>Down</title>', 3)
    ]
    const alone = ['one', 'another'].map((text) => `<item><description>${text}</description></item>`)
    const ids = idsIn([...shared, ...alone].join(''))
    assert.equal(new Set(ids).size, 5)
    for (const id of ids) assert.match(id, /^[\w-]{22}$/)
    assert.deepEqual(idsIn([...shared, ...alone].toReversed().join('')), ids.toReversed())
  })
})
