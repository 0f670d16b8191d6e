import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Flow, Node } from '../graph/flow.ts'
import { sinceRan } from './edited-since.ts'

const node = (id: string, more: Partial<Node> = {}): Node => ({
  id,
  type: 'parser',
  fields: { template: id },
  position: { x: 0, y: 0 },
  ...more
})

const flow = (more: Partial<Flow> = {}): Flow => ({
  name: 'Orders',
  slug: 'orders',
  context: '/',
  nodes: [node('a'), node('b'), node('c'), node('d')],
  edges: [
    { from: 'a.text', to: 'b.text' },
    { from: 'b.text', to: 'c.text' }
  ],
  ...more
})

const withNode = (changed: Node) =>
  flow({ nodes: flow().nodes.map((before) => (before.id === changed.id ? changed : before)) })

describe('what was edited since a run', () => {
  const edited = sinceRan(flow())

  it('is nothing where the same would run, wherever nodes stand and whatever they are called', () => {
    assert.deepEqual(edited(flow()), { isEdited: false, nodes: new Set() })
    const moved = withNode(node('b', { position: { x: 9, y: 9 }, title: 'Second' }))
    assert.equal(edited({ ...moved, name: 'Other' }).isEdited, false)
  })

  it('is a node that was changed, and all that it leads to', () => {
    const { isEdited, nodes } = edited(withNode(node('b', { fields: { template: 'else' } })))
    assert.deepEqual([isEdited, [...nodes]], [true, ['b', 'c']])
  })

  it('is a node that was wired anew, and one that is new', () => {
    assert.deepEqual([...edited(flow({ edges: flow().edges.slice(0, 1) })).nodes], ['c'])
    assert.deepEqual([...edited(flow({ nodes: [...flow().nodes, node('e')] })).nodes], ['e'])
  })

  it('is told where a node is gone, or the context another one', () => {
    assert.equal(edited(flow({ nodes: flow().nodes.slice(0, 3) })).isEdited, true)
    assert.equal(edited(flow({ context: '/shop' })).isEdited, true)
  })
})
