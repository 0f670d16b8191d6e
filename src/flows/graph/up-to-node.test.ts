import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { leadingTo } from './up-to-node.ts'

/** `wires` as `a b`; `inside` by node, the region that it stands in. */
function takenIn(wires: readonly string[], node: string, inside: Readonly<Record<string, string>> = {}) {
  const ends = wires.map((wire) => wire.split(' ') as [string, string])
  const nodes = [...new Set([...ends.flat(), ...Object.keys(inside)])].map((id) => ({
    id,
    parent: inside[id]
  }))
  const links = ends.map(([fromNode, toNode]) => ({ fromNode, toNode }))
  return [...leadingTo({ nodes, wires: links }, node)].sort().join(' ')
}

describe('what leads to a node', () => {
  it('is all that wires come from, however far, and nothing else', () => {
    const wires = ['a b', 'b c', 'x c', 'c d', 'b e']
    assert.equal(takenIn(wires, 'c'), 'a b c x')
    assert.equal(takenIn(wires, 'a'), 'a')
  })

  it('is a region with all that it holds, and what leads into it', () => {
    const wires = ['a r', 'r i', 'i j', 'j r', 's k', 'r z']
    const inside = { i: 'r', j: 'r', k: 'r' }
    assert.equal(takenIn(wires, 'z', inside), 'a i j k r s z')
    assert.equal(takenIn(wires, 'r', inside), 'a i j k r s')
  })

  it('is, inside a region, the region with what leads to the node there', () => {
    const wires = ['a r', 'r i', 'i j', 'j r', 's k', 'r z']
    assert.equal(takenIn(wires, 'i', { i: 'r', j: 'r', k: 'r' }), 'a i r')
  })
})
