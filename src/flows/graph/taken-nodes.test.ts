import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { takenNodes, unwiredNodes } from './taken-nodes.ts'

/** Nodes and wires from a drawing: `w -> a; c -> b`. Those that begin with w or c are a Webhook or a Chat Input. */
function take(drawing: string) {
  const chains = drawing.split(';').map((chain) => chain.split('->').map((id) => id.trim()))
  const nodes = [...new Set(chains.flat())].map((id) => ({ id }))
  const wires = chains.flatMap((chain) =>
    chain.slice(1).map((toNode, index) => ({ fromNode: chain[index]!, toNode }))
  )
  const taken = takenNodes(nodes, wires, ({ id }) => TRIGGERS[id[0]!])
  const sorted = Object.fromEntries([...taken].map(([trigger, ids]) => [trigger, [...ids].sort()]))
  return { taken: sorted, unwired: [...unwiredNodes(nodes, taken)].sort() }
}

const TRIGGERS: Readonly<Record<string, string>> = { w: 'webhook', c: 'chat' }

describe('the nodes that a run takes', () => {
  it('are those that its trigger reaches', () => {
    assert.deepEqual(take('w -> a -> b; c -> d'), {
      taken: { webhook: ['a', 'b', 'w'], chat: ['c', 'd'] },
      unwired: []
    })
  })

  it('are also those that lead there and have no trigger of their own', () => {
    const { taken, unwired } = take('w -> a; x -> y -> a; x -> z')
    assert.deepEqual([taken.webhook, unwired], [['a', 'w', 'x', 'y'], ['z']])
  })

  it('are no nodes of another trigger, nor what leads to those alone', () => {
    const { taken, unwired } = take('w -> a; c -> b -> a; x -> b')
    assert.deepEqual(taken, { webhook: ['a', 'w'], chat: ['a', 'b', 'c', 'x'] })
    assert.deepEqual(unwired, [])
  })

  it('are not told where there is no trigger: then all of them are', () => {
    assert.deepEqual(take('a -> b; x'), { taken: {}, unwired: [] })
  })

  it('begin at no trigger that a wire leads to', () => {
    assert.deepEqual(take('w -> c; x'), { taken: { webhook: ['c', 'w'] }, unwired: ['x'] })
  })

  it('are found where wires form a cycle, or lead to nodes that are not there', () => {
    const wires = [
      { fromNode: 'w', toNode: 'a' },
      { fromNode: 'a', toNode: 'b' },
      { fromNode: 'b', toNode: 'a' },
      { fromNode: 'gone', toNode: 'b' }
    ]
    const nodes = ['w', 'a', 'b', 'x'].map((id) => ({ id }))
    const taken = takenNodes(nodes, wires, ({ id }) => TRIGGERS[id])
    assert.deepEqual([...unwiredNodes(nodes, taken)], ['x'])
  })

  it('hold, with a node, whatever it is reached by that is taken or has no trigger', () => {
    const drawn = fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 16 })
    fc.assert(
      fc.property(drawn, (pairs) => {
        const ids = ['w0', 'c1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7']
        const links = pairs.filter(([from, to]) => from < to && to > 1)
        const wires = links.map(([from, to]) => ({ fromNode: ids[from]!, toNode: ids[to]! }))
        const taken = takenNodes(
          ids.map((id) => ({ id })),
          wires,
          ({ id }) => TRIGGERS[id[0]!]
        )
        const reaches = (from: string, to: string): boolean =>
          from === to || wires.some((wire) => wire.fromNode === from && reaches(wire.toNode, to))
        for (const [trigger, start, other] of [
          ['webhook', 'w0', 'c1'],
          ['chat', 'c1', 'w0']
        ] as const) {
          const isPart = (id: string): boolean =>
            reaches(start, id) ||
            (!reaches(other, id) && wires.some((wire) => wire.fromNode === id && isPart(wire.toNode)))
          assert.deepEqual([...taken.get(trigger)!].sort(), ids.filter(isPart).sort())
        }
      })
    )
  })
})
