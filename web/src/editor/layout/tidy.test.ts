import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { applyCommand } from '../commands/apply-command.ts'
import { anyFlow, flowOf, node, note } from '../graph/flow.test-kit.ts'
import type { Flow, Node, Size } from '../graph/flow.ts'
import { frameAround } from '../groups/groups.ts'
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

/** As nodes are drawn: one port beside the head, several below it. Of b-2, x leaves in its third row. */
const portAt = (id: string, side: 'input' | 'output', port: string) => {
  if (!sizes.has(id)) return 32
  if (id === 'b-2') return 75 + 24 * (side === 'output' && port === 'x' ? 2 : 0)
  return id === 'b-1' ? 25 : 32
}

const endAt = (flow: Flow, end: string, side: 'input' | 'output') => {
  const [id, port] = end.split('.') as [string, string]
  return flow.nodes.find((found) => found.id === id)!.position.y + portAt(id, side, port)
}
const slopes = (flow: Flow) =>
  flow.edges.map(({ from, to }) => endAt(flow, to, 'input') - endAt(flow, from, 'output'))

const tidied = (flow: Flow, only?: ReadonlySet<string>) =>
  applyCommand(flow, tidy(flow, { sizes, portAt }, only))

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

describe('a note', () => {
  it('is not buried by what is laid out anew, unless nodes lay on it before', () => {
    const size = { width: 200, height: 80 }
    // Where b-1 and b-2 come to lie, far from everything before.
    const buried = note('note-1', 'Why?', { position: { x: 860, y: 420 }, size })
    const background = note('note-2', 'All of it', {
      position: { x: 480, y: 360 },
      size: { width: 900, height: 600 }
    })
    const flow = { ...fork, notes: [buried, background] }
    const after = tidied(flow)
    const isOn = (id: string) => {
      const { position } = after.notes!.find((each) => each.id === id)!
      return boxes(after).some(
        ({ left, right, top, bottom }) =>
          left < position.x + size.width &&
          position.x < right &&
          top < position.y + size.height &&
          position.y < bottom
      )
    }
    assert.equal(isOn('note-1'), false)
    assert.equal(isOn('note-2'), true)
    assert.deepEqual(tidied(after), after)
  })
})

describe('tidy', () => {
  it('puts every node to the right of what feeds it, and none on another', () => {
    const flow = tidied(fork)
    const at = new Map(boxes(flow).map((box) => [box.id, box]))
    for (const { from, to } of flow.edges) {
      assert.ok(at.get(from.split('.')[0]!)!.right < at.get(to.split('.')[0]!)!.left, `${from} -> ${to}`)
    }
    assert.deepEqual(overlaps(flow), [])
  })

  it('keeps the wires of a chain straight, whatever ports they come by', () => {
    const chain = flowOf(
      ['a-1', 'b-2', 'c-1', 'b-1', 'd-1'],
      ['a-1.x -> b-2.y', 'b-2.x -> c-1.x', 'c-1.x -> b-1.x', 'b-1.x -> d-1.x']
    )
    assert.deepEqual(slopes(tidied(chain)), [0, 0, 0, 0])
  })

  it('keeps the chains of branches straight, and the branches as far up as down', () => {
    const flow = tidied(
      flowOf(
        ['s-1', 't-1', 'u-1', 't-2', 'u-2', 'e-1'],
        [
          's-1.x -> t-1.x',
          's-1.x -> t-2.x',
          't-1.x -> u-1.x',
          't-2.x -> u-2.x',
          'u-1.x -> e-1.x',
          'u-2.x -> e-1.y'
        ]
      )
    )
    const [up, down, upper, lower, in1, in2] = slopes(flow)
    assert.deepEqual([upper, lower], [0, 0])
    assert.ok(up! < 0 && up === -down!, `${up} up and ${down} down`)
    assert.ok(in1! > 0 && in1 === -in2!, `${in1} down and ${in2} up`)
  })

  it('leaves the upper left corner where it is', () => {
    const flow = tidied(fork)
    assert.deepEqual(
      [
        Math.min(...flow.nodes.map(({ position }) => position.x)),
        Math.min(...flow.nodes.map(({ position }) => position.y))
      ],
      [0, 0]
    )
  })

  it('keeps a note beside the node next to it, and one that is far away where it is', () => {
    const notes = [
      note('note-1', 'Here', { position: { x: 510, y: 250 }, size: { width: 100, height: 60 } }),
      note('note-2', 'There', { position: { x: 9000, y: 0 } })
    ]
    const flow = tidied({ ...fork, notes })
    const [was, now] = [fork, flow].map(({ nodes }) => nodes[1]!.position)
    assert.notDeepEqual(was, now)
    assert.deepEqual(flow.notes![0]!.position, { x: 510 + now!.x - was!.x, y: 250 + now!.y - was!.y })
    assert.deepEqual(flow.notes![1], notes[1])
  })

  it('keeps a group together: nothing else comes to lie in its frame, and its wires are straight', () => {
    const names = ['a-1', 'p-1', 'q-1', 'r-1', 'z-1']
    const flow = tidied(
      flowOf(
        names,
        ['a-1.x -> p-1.x', 'a-1.x -> q-1.x', 'p-1.x -> r-1.x', 'q-1.x -> z-1.x', 'r-1.x -> z-1.y'],
        { notes: [note('group-1', 'Both', { nodes: ['p-1', 'r-1'] })] }
      )
    )
    const all = new Map(boxes(flow).map((box) => [box.id, box]))
    const frame = frameAround(
      ['p-1', 'r-1'].map((id) => {
        const { left, top, right, bottom } = all.get(id)!
        return { x: left, y: top, width: right - left, height: bottom - top }
      })
    )
    for (const id of ['a-1', 'q-1', 'z-1']) {
      const { left, right, top, bottom } = all.get(id)!
      const isOutside =
        right <= frame.x ||
        left >= frame.x + frame.width ||
        bottom <= frame.y ||
        top >= frame.y + frame.height
      assert.ok(isOutside, `${id} lies in the frame`)
    }
    assert.equal(slopes(flow)[2], 0)
    assert.deepEqual(flow.notes![0]!.position, { x: frame.x, y: frame.y })
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

describe('a region', () => {
  const each = (more: Partial<Node> = {}) => node('for-each-1', { position: { x: 300, y: 0 }, ...more })
  const inside = (id: string, x: number) => node(id, { position: { x, y: 50 }, parent: 'for-each-1' })
  const wires = [
    'a-1.x -> for-each-1.items',
    'for-each-1.item -> b-1.x',
    'b-1.x -> b-2.x',
    'a-1.x -> b-2.y',
    'b-2.x -> for-each-1.result',
    'for-each-1.results -> c-1.x'
  ]
  const drawn = flowOf(['a-1', each(), inside('b-1', 900), inside('b-2', 500), 'c-1'], wires)
  const place = (flow: Flow, id: string) => flow.nodes.find((found) => found.id === id)!

  it('is laid out inside, holds what stands in it, and stands among the others as one', () => {
    const after = tidied(drawn)
    const [region, first, second] = ['for-each-1', 'b-1', 'b-2'].map((id) => place(after, id))
    assert.ok(first!.position.x + 300 < second!.position.x)
    const right = region!.position.x + region!.size!.width
    assert.ok(region!.position.x < first!.position.x && second!.position.x + 300 < right)
    assert.ok(place(after, 'a-1').position.x + 200 < region!.position.x)
    assert.ok(right < place(after, 'c-1').position.x)
    assert.deepEqual(tidied(after), after)
  })

  it('takes its nodes along where it is collapsed, and keeps a group inside and around it together', () => {
    const closed = {
      ...drawn,
      nodes: drawn.nodes.map((one) => (one.id === 'for-each-1' ? each({ collapsed: true }) : one))
    }
    const shift = (id: string) => place(tidied(closed), id).position.x - place(closed, id).position.x
    assert.equal(shift('b-1'), shift('for-each-1'))
    const groups = [
      note('note-1', 'In', { nodes: ['b-1', 'b-2'] }),
      note('note-2', 'Around', { nodes: ['for-each-1', 'c-1'] })
    ]
    const after = tidied({ ...drawn, notes: groups })
    assert.deepEqual(tidied(after), after)
    assert.ok(place(after, 'b-2').position.x < place(after, 'c-1').position.x)
  })

  it('that holds nothing keeps a frame', () => {
    const { nodes } = tidied(flowOf(['a-1', each()], wires.slice(0, 1)))
    assert.deepEqual(nodes[1]!.size, { width: 560, height: 240 })
  })
})
