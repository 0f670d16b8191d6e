import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { leadingTo } from './up-to-node.ts'

/** `wires` as `a b`; `inside` by node, the region that it stands in. */
function takenIn(
  wires: readonly string[],
  node: string,
  inside: Readonly<Record<string, string>> = {},
  reads: Readonly<Record<string, string>> = {}
) {
  const ends = wires.map((wire) => wire.split(' ') as [string, string])
  const nodes = [...new Set([...ends.flat(), ...Object.keys(inside)])].map((id) => ({
    id,
    parent: inside[id]
  }))
  const links = ends.map(([fromNode, toNode]) => ({ fromNode, toNode }))
  const readBy = (id: string, before: ReadonlySet<string>) =>
    [reads[id]].filter((read) => read !== undefined && before.has(read)) as string[]
  return [...leadingTo({ nodes, wires: links }, node, readBy)].sort().join(' ')
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

  it('is, inside a region, also what is read there by name and leads into the region elsewhere', () => {
    const wires = ['a r', 'r i', 'r k', 'o p', 'p k', 'q k', 'i r']
    const inside = { i: 'r', k: 'r' }
    assert.equal(takenIn(wires, 'i', inside, { i: 'p' }), 'a i o p r')
    assert.equal(takenIn(wires, 'i', inside, { k: 'q' }), 'a i r')
    // What does not come before it cannot be read.
    assert.equal(takenIn(wires, 'i', inside, { i: 'k' }), 'a i r')
  })
})
