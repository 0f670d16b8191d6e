import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { contextsFor } from '../context.test-kit.ts'
import { treeMove } from './tree-keys.ts'
import { closedAtFirst, layoutTree, NODE, openedFor, relationTo } from './tree-layout.ts'

/*
 *  /  ─┬─ a ─┬─ a/x
 *      │     └─ a/y
 *      └─ b
 */
const CONTEXTS = contextsFor({ '/': [], '/a': [], '/a/x': [], '/a/y': [], '/b': [] })
const NONE = new Set<string>()

const paths = (collapsed = NONE) =>
  layoutTree(CONTEXTS, collapsed, 'across').items.map(({ context }) => context.path)

describe('the picture of the tree', () => {
  it('lists parents before their children', () => {
    assert.deepEqual(paths(), ['/', '/a', '/a/x', '/a/y', '/b'])
    assert.deepEqual(paths(new Set(['/a'])), ['/', '/a', '/b'])
  })

  it('sets children right of their parent, and the parent at their middle', () => {
    const { items } = layoutTree(CONTEXTS, NONE, 'across')
    const [root, a, x, y, b] = items as [(typeof items)[0], ...typeof items]
    assert.ok(root.x < a!.x && a!.x < x!.x)
    assert.equal(a!.y, (x!.y + y!.y) / 2)
    assert.equal(root.y, (a!.y + b!.y) / 2)
  })

  it('keeps a parent in sight of the first of many children', () => {
    const many = Array.from({ length: 30 }, (_, no) => [`/team-${String(no).padStart(2, '0')}`, []])
    const { items } = layoutTree(contextsFor({ '/': [], ...Object.fromEntries(many) }), NONE, 'across')
    assert.ok(items[0]!.y - items[1]!.y < 3 * NODE.height)
  })

  it('never lets two overlap, in either direction', () => {
    const many = contextsFor(
      Object.fromEntries(
        ['/', '/a', '/b', '/c'].flatMap((path) => [
          [path, []],
          ...['k', 'l', 'm'].map((name) => [`${path === '/' ? '' : path}/${name}`, []])
        ])
      )
    )
    for (const direction of ['across', 'down'] as const) {
      const { items, height } = layoutTree(many, NONE, direction)
      for (const [index, one] of items.entries())
        for (const other of items.slice(index + 1)) {
          const isBelow = Math.abs(one.y - other.y) >= NODE.height
          assert.ok(isBelow || one.x !== other.x, `${one.context.path} and ${other.context.path}`)
        }
      assert.ok(items.every(({ y }) => y + NODE.height <= height))
    }
  })

  it('draws a line from every parent to each of its children', () => {
    const { edges } = layoutTree(CONTEXTS, NONE, 'down')
    assert.deepEqual(
      edges.map(({ from, to }) => `${from.context.path} ${to.context.path}`),
      ['/ /a', '/a /a/x', '/a /a/y', '/ /b']
    )
  })

  it('tells the place of each among its siblings', () => {
    const y = layoutTree(CONTEXTS, NONE, 'across').items[3]!
    assert.deepEqual([y.level, y.position, y.siblings, y.isExpanded], [3, 2, 2, undefined])
  })

  it('shows what hangs in the air, for a key that does not know its parent', () => {
    const { items } = layoutTree(contextsFor({ '/': [], '/a/x': [] }), NONE, 'across')
    assert.deepEqual(
      items.map(({ context, level }) => [context.path, level]),
      [
        ['/', 1],
        ['/a/x', 1]
      ]
    )
  })
})

describe('a large tree', () => {
  const teams = Array.from({ length: 10 }, (_, no) => [`/area${no}`, `/area${no}/x`, `/area${no}/y`]).flat()
  const large = contextsFor(Object.fromEntries(['/', ...teams].map((path) => [path, []])))

  it('shows the first level, and the way to the chosen one', () => {
    const closed = openedFor('/area3/x', closedAtFirst(large))
    const shown = layoutTree(large, closed, 'across').items.map(({ context }) => context.path)
    assert.deepEqual(
      shown.filter((path) => path.includes('/x') || path.includes('/y')),
      ['/area3/x', '/area3/y']
    )
    assert.equal(shown.length, 1 + 10 + 2)
  })

  it('lets the chosen one itself be closed', () => {
    assert.ok(openedFor('/area3', closedAtFirst(large)).has('/area3'))
  })

  it('is all open where it is small', () => {
    assert.equal(closedAtFirst(CONTEXTS).size, 0)
  })
})

describe('keys in the tree', () => {
  const move = (at: string, key: string, collapsed = NONE) =>
    treeMove(layoutTree(CONTEXTS, collapsed, 'across').items, at, key)

  it('go up and down, to the ends, to the parent and into the children', () => {
    assert.deepEqual(move('/a', 'ArrowDown'), { go: '/a/x' })
    assert.deepEqual(move('/b', 'ArrowUp'), { go: '/a/y' })
    assert.deepEqual(move('/a', 'Home'), { go: '/' })
    assert.deepEqual(move('/a', 'End'), { go: '/b' })
    assert.deepEqual(move('/a/y', 'ArrowLeft'), { go: '/a' })
    assert.deepEqual(move('/a', 'ArrowRight'), { go: '/a/x' })
    assert.equal(move('/', 'ArrowUp'), undefined)
    assert.equal(move('/b', 'ArrowRight'), undefined)
  })

  it('open and close', () => {
    assert.deepEqual(move('/a', 'ArrowLeft'), { collapse: '/a' })
    assert.deepEqual(move('/a', 'ArrowRight', new Set(['/a'])), { expand: '/a' })
    assert.deepEqual(move('/a', 'ArrowLeft', new Set(['/a'])), { go: '/' })
  })

  it('go to a name by its first letter, round and round', () => {
    assert.deepEqual(move('/', 'y'), { go: '/a/y' })
    assert.deepEqual(move('/b', 'A'), { go: '/a' })
    assert.equal(move('/', 'Tab'), undefined)
    assert.equal(move('/', 'q'), undefined)
  })
})

describe('how a context stands to the chosen one', () => {
  it('follows from their paths', () => {
    assert.equal(relationTo('/a', '/a'), 'chosen')
    assert.equal(relationTo('/a/x', '/'), 'above')
    assert.equal(relationTo('/a', '/a/x'), 'below')
    assert.equal(relationTo('/a', '/ab'), 'beside')
  })
})
