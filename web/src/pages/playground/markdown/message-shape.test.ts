import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isTame } from './is-tame.ts'
import { shapeOf, shortened } from './message-shape.ts'

describe('the shape of a message', () => {
  it('is JSON where the text is an object or an array', () => {
    for (const text of ['{"a": 1}', '[1, 2]', ' {\n  "id": 12345678901234567890\n} ', '[]'])
      assert.equal(shapeOf(text), 'json', text)
  })

  it('is Markdown for words, also those that look like JSON at first', () => {
    for (const text of [
      'Order 7',
      '7',
      'null',
      '"text"',
      '{name}',
      '[link](https://example.org)',
      '{a} and {b}',
      ''
    ])
      assert.equal(shapeOf(text), 'markdown', text)
  })

  it('is plain for a text that would keep the parser busy', () => {
    const hostile = {
      long: 'x'.repeat(12_001),
      'many lines': '>\n'.repeat(600),
      comments: '<!--'.repeat(300),
      brackets: '['.repeat(500),
      links: '[a](b '.repeat(3000),
      images: '![a]('.repeat(1000),
      quotes: `${'>'.repeat(5000)}x`,
      'quotes with spaces': `${'> '.repeat(100)}x`,
      lists: Array.from({ length: 100 }, (_, depth) => `${' '.repeat(depth * 2)}- x`).join('\n'),
      'lists on a line': `${'- '.repeat(100)}x`,
      emphasis: `${'*a '.repeat(1500)}${'a* '.repeat(1500)}`,
      'a wide table': `${'|a'.repeat(200)}\n${'|-'.repeat(200)}\n${'|x\n'.repeat(200)}`
    }
    for (const [name, text] of Object.entries(hostile)) assert.equal(shapeOf(text), 'plain', name)
  })

  it('is Markdown for a long report with tables, lists and links', () => {
    const row = `| ${'value | '.repeat(8)}\n`
    const report = `# Report\n\n${'- an item with a [link](https://example.org) and *stress*\n'.repeat(60)}\n${row}|${'---|'.repeat(8)}\n${row.repeat(100)}`
    assert.ok(isTame(report))
  })
})

describe('a long message', () => {
  it('is shown in part, up to the end of a line where one is near', () => {
    assert.deepEqual(shortened('short'), { text: 'short', isCut: false })
    assert.equal(shortened('x'.repeat(5000)).text.length, 1500)
    const lines = shortened('a line of text\n'.repeat(500))
    assert.ok(lines.isCut && lines.text.endsWith('text') && lines.text.length <= 1500)
  })
})
