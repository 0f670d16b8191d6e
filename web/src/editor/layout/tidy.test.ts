import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { applyCommand } from '../commands/apply-command.ts'
import { anyFlow, flowOf, node, note } from '../graph/flow.test-kit.ts'
import type { Flow, Size } from '../graph/flow.ts'
import { tidy } from './tidy.ts'

const sizes = new Map<string, Size>([
  ['a-1', { width: 200, height: 100 }],
  ['b-1', { width: 300, height: 50 }],
  ['b-2', { width: 300, height: 250 }]
])
const fork = flowOf(
  [
    node('a-1', { position: { x: 500, y: 400 } }),
    node('b-1', { position: { x: 510, y: 390 } }),
    'b-2',
    node('c-1')
  ],
  ['a-1.x -> b-1.x', 'a-1.x -> b-2.x', 'b-1.x -> c-1.x', 'b-2.x -> c-1.y']
)

const tidied = (flow: Flow, only?: ReadonlySet<string>) => applyCommand(flow, tidy(flow, sizes, only))

function boxes(flow: Flow) {
  return flow.nodes.map(({ id, position }) => {
    const { width, height } = sizes.get(id) ?? { width: 280, height: 160 }
    return { id, left: position.x, right: position.x + width, top: position.y, bottom: position.y + height }
  })
}

function overlaps(flow: Flow): string[] {
  const all = boxes(flow)
  return all.flatMap((one, index) =>
    all
      .slice(index + 1)
      .filter(
        (other) =>
          one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
      )
      .map((other) => `${one.id} lies on ${other.id}`)
  )
}

describe('tidy', () => {
  it('puts every node to the right of what feeds it, and none on another', () => {
    const flow = tidied(fork)
    const at = new Map(boxes(flow).map((box) => [box.id, box]))
    for (const { from, to } of flow.edges) {
      assert.ok(at.get(from.split('.')[0]!)!.right < at.get(to.split('.')[0]!)!.left, `${from} -> ${to}`)
    }
    assert.deepEqual(overlaps(flow), [])
  })

  it('leaves the upper left corner, and the notes, where they are', () => {
    const flow = tidied({ ...fork, notes: [note('note-1')] })
    assert.deepEqual(
      [
        Math.min(...flow.nodes.map(({ position }) => position.x)),
        Math.min(...flow.nodes.map(({ position }) => position.y))
      ],
      [0, 0]
    )
    assert.deepEqual(flow.notes, [note('note-1')])
  })

  it('lays out only what is chosen', () => {
    const flow = tidied(fork, new Set(['b-1', 'b-2']))
    assert.deepEqual([flow.nodes[0], flow.nodes[3]], [fork.nodes[0], fork.nodes[3]])
    assert.deepEqual(overlaps({ ...flow, nodes: flow.nodes.slice(1, 3) }), [])
  })

  it('changes nothing that is tidy, and lays nodes on none, whatever the flow is', () => {
    fc.assert(
      fc.property(anyFlow, (flow) => {
        const once = tidied(flow)
        assert.deepEqual(overlaps(once), [])
        assert.equal(tidied(once), once)
        assert.deepEqual(tidied(flow), once, 'the same flow is always laid out alike')
      }),
      { numRuns: 50 }
    )
  })

  it('takes a flow of a thousand nodes', () => {
    const nodes = Array.from({ length: 1000 }, (_, index) => node(`n-${index}`))
    const edges = nodes.slice(1).map(({ id }, index) => `n-${Math.floor(index / 3)}.x -> ${id}.x`)
    assert.deepEqual(overlaps(tidied(flowOf(nodes, edges))), [])
  })
})
