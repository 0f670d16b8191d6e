import assert from 'node:assert/strict'
import { it } from 'node:test'
import MarkdownIt from 'markdown-it'
import { htmlMarkdown } from './html-markdown.ts'

/** Leaves out no link, as some do. */
const reader = new MarkdownIt()
reader.validateLink = () => true

const shown = (html: string) => reader.render(htmlMarkdown(html)).trim()

it('HTML as Markdown leads nowhere that the HTML does not lead', () => {
  for (const html of [
    '<a href="javascript\\:alert(1)">a</a>',
    '<a href="javascript&amp;colon;alert(1)">a</a>',
    '<a href="javascript&amp;#58;alert(1)">a</a>',
    '<img alt="a" src="javascript&amp;colon;alert(1)">',
    '<code>`` [a](javascript:alert(1)) </code>',
    '<code>`[a](javascript:alert(1))``</code>'
  ]) {
    const told = shown(html)
    assert.ok(!/(?:href|src)="javascript:/.test(told), `${html} is shown as ${told}`)
  }
})

it('HTML as Markdown says what the HTML says', () => {
  const cases: readonly [html: string, shown: string][] = [
    ['<code>a `` b</code>', '<p><code>a `` b</code></p>'],
    ['<code>`</code>', '<p><code>`</code></p>'],
    ['&amp;lt;b&amp;gt; &amp; c', '<p>&amp;lt;b&amp;gt; &amp; c</p>'],
    ['<a href="/x?a=1&amp;copy=2">a</a>', '<p><a href="/x?a=1&amp;copy=2">a</a></p>']
  ]
  for (const [html, expected] of cases) assert.equal(shown(html), expected)
})
