import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compileDoc } from './compile-doc.ts'
import { helpAddress } from './help-address.ts'

const compile = (text: string) =>
  compileDoc(text, {
    linkTo: (target) => helpAddress('/docs/here.md', target),
    picture: (path) => `p/${path}`
  })

describe('compileDoc', () => {
  it('names headings as GitHub does', () => {
    const { title, headings } = compile(
      '# A guide\n\n## `GET` is what?\n\n## Twice, really\n\n## Twice, really\n'
    )
    assert.equal(title, 'A guide')
    assert.deepEqual(
      headings.map(({ id, level }) => `${level} ${id}`),
      ['1 a-guide', '2 get-is-what', '2 twice-really', '2 twice-really-1']
    )
  })

  it('leads links to the help, and names what is in the repository alone', () => {
    const { html } = compile(
      '# A\n\n[keys](keys.md#keys), [here](#a), [files](../examples/operations/README.md), [why](decisions/001-x.md), [web](https://example.com)'
    )
    assert.match(html, /<a href="help\/keys#keys">keys<\/a>/)
    assert.match(html, /<a href="help\/here#a">here<\/a>/)
    assert.match(html, /files \(<code>examples\/operations\/README\.md<\/code>\)/)
    assert.match(html, /why \(<code>docs\/decisions\/001-x\.md<\/code>\)/)
    assert.match(html, /<a href="https:\/\/example\.com" target="_blank" rel="noreferrer">web<\/a>/)
  })

  it('lets tables and code scroll by themselves, and escapes what is in them', () => {
    const { html } = compile('# A\n\n| a | b |\n|---|---|\n| 1 | <b> |\n\n```sh\necho "<script>"\n```\n')
    assert.match(html, /<div class="wide" tabindex="0" role="group" aria-label="Table">\s*<table>/)
    assert.match(html, /<pre tabindex="0"><code>echo &quot;&lt;script&gt;&quot;/)
    assert.doesNotMatch(html, /<b>|<script>/)
  })

  it('finds pictures by their place', () => {
    assert.match(compile('# A\n\n![A flow](x.png)').html, /<img src="p\/x\.png" alt="A flow" loading="lazy">/)
  })

  it('gives a search each section with its words, code too', () => {
    const { sections } = compile(
      '# A\n\nFirst words, first.\n\n## B `c`\n\nMore\nlines\n\n```sh\nnpm start\n```\n'
    )
    assert.deepEqual(sections, [
      { id: '', heading: 'A', beginning: 'First words, first.', words: 'first words' },
      { id: 'b-c', heading: 'B c', beginning: 'More lines', words: 'more lines npm start' }
    ])
  })
})
