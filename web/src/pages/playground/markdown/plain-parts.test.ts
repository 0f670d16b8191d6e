import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { plainParts } from './plain-parts.ts'
import { linkTo } from './safe-address.ts'

type Tree = { type: string; tagName?: string; value?: string; properties?: object; children?: Tree[] }

function link(href: string, children: Tree[] = [{ type: 'text', value: 'here' }], more: object = {}): Tree {
  return { type: 'element', tagName: 'a', properties: { href, ...more }, children }
}

function changed(...children: Tree[]): Tree[] {
  const tree: Tree = { type: 'root', children }
  plainParts()(tree)
  return tree.children!
}

/** What is read, and the elements that it is read in. */
function words(nodes: readonly Tree[]): string {
  return nodes.map((node) => node.value ?? words(node.children ?? [])).join('')
}

function tags(nodes: readonly Tree[]): string[] {
  return nodes.flatMap(({ tagName, children = [] }) => [
    ...(tagName === undefined ? [] : [tagName]),
    ...tags(children)
  ])
}

describe('a link of a message', () => {
  it('leads to whole addresses of the web and of mail', () => {
    for (const address of ['https://example.org/a?b#c', 'HTTP://example.org', 'mailto:ann@example.org'])
      assert.ok(linkTo(address), address)
  })

  it('never runs script, opens data or leads within the page', () => {
    const refused = [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      ' javascript:alert(1)',
      '\u0001javascript:alert(1)',
      'java\tscript:alert(1)',
      'java\nscript:alert(1)',
      'javascript://example.org/%0aalert(1)',
      'vbscript:x',
      'data:text/html,<script>alert(1)</script>',
      'blob:https://example.org/x',
      'file:///etc/passwd',
      'view-source:https://example.org',
      '//example.org/x',
      '/keys',
      'keys',
      '#main',
      '?x',
      '',
      'https:example.org',
      'https:/example.org',
      'https://',
      'https:\\\\example.org'
    ]
    for (const address of refused) assert.equal(linkTo(address), undefined, JSON.stringify(address))
  })

  it('stays one where it leads there', () => {
    const good = link('https://example.org/')
    assert.deepEqual(changed(good), [good])
  })

  it('becomes text with its address where it does not', () => {
    const found = changed(link('javascript:alert(1)'))
    assert.equal(words(found), 'here javascript:alert(1)')
    assert.deepEqual(tags(found), ['span', 'code'])
  })

  it('shows the address as people read it', () => {
    assert.equal(words(changed(link('data:text/html,%3Cb%3E'))), 'here data:text/html,<b>')
    assert.equal(words(changed(link('javascript:%zz'))), 'here javascript:%zz')
  })

  it('is found at any depth, also where no call could follow', () => {
    let tree = link('javascript:alert(1)')
    for (let depth = 0; depth < 50_000; depth++)
      tree = { type: 'element', tagName: 'em', properties: {}, children: [tree] }
    let found = changed(tree)[0]!
    while (found.tagName === 'em') found = found.children![0]!
    assert.equal(found.tagName, 'span')
  })
})

describe('an image of a message', () => {
  const image = (src: string, alt = '') => ({ type: 'element', tagName: 'img', properties: { src, alt } })

  it('is its words and its address, never an image', () => {
    const found = changed(image('https://example.org/a.png', 'A plot'), image('data:image/svg+xml,x'))
    assert.equal(words(found), 'A plot https://example.org/a.pngImage data:image/svg+xml,x')
    assert.deepEqual(tags(found), ['span', 'a', 'span', 'code'])
  })

  it('inside of a link that is refused is text too', () => {
    const found = changed(link('javascript:alert(1)', [image('https://example.org/a.png', 'x')]))
    assert.deepEqual(tags(found), ['span', 'span', 'a', 'code'])
  })
})

describe('HTML in a message', () => {
  it('is text: a paragraph of its own, or a part of one', () => {
    const html = { type: 'raw', value: '<img src=x onerror=alert(1)>' }
    const found = changed(html, { type: 'element', tagName: 'p', properties: {}, children: [html] })
    assert.equal(words(found), html.value.repeat(2))
    assert.deepEqual(tags(found), ['p', 'p'])
  })
})

describe('a footnote', () => {
  it('is named where it is used, and has no way back', () => {
    const found = changed(
      link('#user-content-fn-1', [{ type: 'text', value: '1' }], { dataFootnoteRef: true }),
      link('#user-content-fnref-1', [{ type: 'text', value: '↩' }], { dataFootnoteBackref: '' })
    )
    assert.equal(words(found), '1')
    assert.deepEqual(tags(found), ['span'])
  })
})
