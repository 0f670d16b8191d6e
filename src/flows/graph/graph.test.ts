import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseEnd, topologicalOrder, wiresOf } from './graph.ts'

function wires(text: string): { fromNode: string; toNode: string }[] {
  return text
    .split(' ')
    .filter((pair) => pair !== '')
    .map((pair) => ({ fromNode: pair[0]!, toNode: pair[1]! }))
}

describe('parseEnd', () => {
  it('parts node and port at the first dot, since a port may hold any text', () => {
    assert.deepEqual(parseEnd('webhook-1.data'), { node: 'webhook-1', port: 'data' })
    assert.deepEqual(parseEnd('prompt-1.user.first name'), { node: 'prompt-1', port: 'user.first name' })
  })

  it('refuses what has no node or no port', () => {
    for (const text of ['', '.', 'a', 'a.', '.a']) assert.equal(parseEnd(text), undefined)
  })
})

describe('wiresOf', () => {
  const document = { name: 'A', slug: 'a', context: '/', nodes: [] }

  it('takes edges apart', () => {
    assert.deepEqual(wiresOf({ ...document, edges: [{ from: 'a.x', to: 'b.y' }] }), [
      { fromNode: 'a', fromPort: 'x', toNode: 'b', toPort: 'y' }
    ])
  })

  it('throws for a document that was not validated', () => {
    assert.throws(() => wiresOf({ ...document, edges: [{ from: 'a', to: 'b.y' }] }), /not validated/)
  })
})

describe('topologicalOrder', () => {
  it('leaves nodes without wires in the order of the document', () => {
    assert.deepEqual(topologicalOrder(['c', 'a', 'b'], []).sorted, ['c', 'a', 'b'])
  })

  //  a ┬ b ┬ d
  //    └ c ┘
  it('puts every node after those that lead to it', () => {
    assert.deepEqual(topologicalOrder(['d', 'c', 'b', 'a'], wires('ab ac bd cd')).sorted, [
      'a',
      'b',
      'c',
      'd'
    ])
  })

  it('counts several wires between two nodes once', () => {
    assert.deepEqual(topologicalOrder(['a', 'b'], wires('ab ab')).sorted, ['a', 'b'])
  })

  //  a ─ b ─ c ─ d
  //      └───────┘ back
  it('shows a cycle from a node back to that node, along the wires', () => {
    const { cycle } = topologicalOrder(['a', 'b', 'c', 'd'], wires('ab bc cd db'))
    assert.equal(cycle?.length, 4)
    assert.match(cycle!.join(''), /^(bcdb|cdbc|dbcd)$/)
  })

  it('shows a node that leads to itself', () => {
    assert.deepEqual(topologicalOrder(['a', 'b'], wires('ab bb')).cycle, ['b', 'b'])
  })

  it('either sorts every graph or shows a cycle that is there', () => {
    const node = fc.constantFrom(...'abcdefg')
    const graph = fc.array(fc.tuple(node, node), { maxLength: 12 })
    fc.assert(
      fc.property(fc.shuffledSubarray([...'abcdefg']), graph, (nodes, pairs) => {
        const known = pairs.filter((pair) => pair.every((name) => nodes.includes(name)))
        const { sorted, cycle } = topologicalOrder(nodes, wires(known.map((pair) => pair.join('')).join(' ')))
        const has = (from?: string, to?: string) => known.some((pair) => pair[0] === from && pair[1] === to)
        if (cycle === undefined) {
          assert.deepEqual([...sorted].sort(), [...nodes].sort())
          for (const [from, to] of known) assert.ok(sorted.indexOf(from) < sorted.indexOf(to))
        } else {
          assert.equal(cycle[0], cycle.at(-1))
          for (let at = 1; at < cycle.length; at++) assert.ok(has(cycle[at - 1], cycle[at]))
        }
      })
    )
  })
})
