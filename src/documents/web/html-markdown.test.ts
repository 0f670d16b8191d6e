import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { htmlMarkdown } from './html-markdown.ts'
import { htmlText } from './html-text.ts'

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
    ['<a href="/x?a=1&amp;copy=2">a</a>', '<p><a href="/x?a=1&amp;copy=2">a</a></p>'],
    ['1. a<br>2) b<br># c<br>~~~', '<p>1. a<br>\n2) b<br>\n# c<br>\n~~~</p>'],
    ['a<br>---<br>b<br>===', '<p>a<br>\n---<br>\nb<br>\n===</p>'],
    ['a | b<br>--- | ---', '<p>a | b<br>\n--- | ---</p>'],
    ['Look!<a href="/x">here</a> ~~a~~', '<p>Look!<a href="/x">here</a> ~~a~~</p>'],
    ['<h2>C #</h2>', '<h2>C #</h2>'],
    ['un<i>believ</i>able', '<p>un<em>believ</em>able</p>'],
    ['<b>a<br><br>b</b>', '<p><strong>a</strong></p>\n<p><strong>b</strong></p>'],
    ['<ul><li>a<br>b</ul>', '<ul>\n<li>a<br>\nb</li>\n</ul>'],
    ['<ol start="0"><li>a</ol>', '<ol start="0">\n<li>a</li>\n</ol>'],
    // What cards and pieces of a page are made of.
    ['<span><p>a</p><p>b</p></span>', '<p>a</p>\n<p>b</p>'],
    [
      '<my-card><a href="/x"><h3>T</h3><div>t</div></a></my-card>',
      '<h3><a href="/x">T</a></h3>\n<p><a href="/x">t</a></p>'
    ]
  ]
  for (const [html, expected] of cases) assert.equal(shown(html), expected)
})

it('HTML as Markdown shows every text as it is, wherever it stands', () => {
  const sign = fc.constantFrom(...'#-+=*_~|:`.)!>[]()&;1a \\'.split(''))
  const line = fc.string({ unit: sign, minLength: 1, maxLength: 12 }).map((text) => text.trim())
  const lines = fc.array(line, { minLength: 1, maxLength: 4 })
  const encoded = (text: string) => text.replaceAll('&', '&amp;').replaceAll('>', '&gt;')
  fc.assert(
    fc.property(lines, fc.constantFrom('p', 'li', 'h2', 'td', 'blockquote'), (texts, name) => {
      const html = `<${name}>${texts.map(encoded).join('<br>')}</${name}>`
      const around: Record<string, string> = { li: `<ul>${html}</ul>`, td: `<table><tr>${html}</table>` }
      const wrapped = around[name] ?? html
      const words = (text: string) => text.split(/\s+/).filter(Boolean).join(' ')
      assert.equal(words(htmlText(shown(wrapped))), words(htmlText(wrapped)), htmlMarkdown(wrapped))
    }),
    { numRuns: 300 }
  )
})
