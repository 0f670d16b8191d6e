import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Flow, Node } from '../../../editor/graph/flow.ts'
import { builtInCatalogue } from '../../../editor/wiring/page-catalogue.test-kit.ts'
import { placeOpenly } from './place-openly.ts'

const catalogue = builtInCatalogue()

function nodeAt(id: string, x: number, y: number, more: Partial<Node> = {}): Node {
  return { id, type: 'parser', position: { x, y }, fields: {}, ...more }
}

function drawing(...nodes: Node[]) {
  const flow: Flow = { name: 'F', slug: 'f', context: '/', nodes, edges: [] }
  return { flow, catalogue, sizes: new Map() }
}

const fragmentOf = (...nodes: Node[]) => ({ nodes, notes: [], edges: [] })

describe('copies', () => {
  it('cover neither what they are copies of nor each other, and keep their places to each other', () => {
    const [one, two] = [nodeAt('a', 0, 0), nodeAt('b', 0, 96)]
    const placed = placeOpenly(fragmentOf(one, two), drawing(one, two))
    const [first, second] = placed.nodes.map(({ position }) => position)
    assert.deepEqual({ x: second!.x - first!.x, y: second!.y - first!.y }, { x: 0, y: 96 })
    assert.ok(Math.abs(first!.x) >= 240 || first!.y >= 160 || first!.y <= -160, JSON.stringify(first))
    const again = placeOpenly(fragmentOf(one), drawing(one, two, ...placed.nodes), { x: 10, y: 10 })
    const at = again.nodes[0]!.position
    for (const { position } of [one, two, ...placed.nodes])
      assert.ok(Math.abs(position.x - at.x) >= 240 || Math.abs(position.y - at.y) >= 64)
  })

  it('are where they were wished where there is room, and stay in their frame', () => {
    const one = nodeAt('a', 0, 0)
    assert.deepEqual(placeOpenly(fragmentOf(one), drawing(one), { x: 800, y: 0 }).nodes[0]!.position, {
      x: 800,
      y: 0
    })
    const inside = nodeAt('b', 32, 32, { parent: 'for-each-1' })
    assert.deepEqual(placeOpenly(fragmentOf(inside), drawing(one)).nodes, [inside])
  })
})
