import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { builtInComponents } from '../../../../src/components/built-in.ts'
import { copySelection } from '../clipboard/copy-selection.ts'
import { readClipboard } from '../clipboard/read-clipboard.ts'
import { applyCommand } from '../commands/apply-command.ts'
import { flowOf, node } from '../graph/flow.test-kit.ts'
import type { Flow, Node } from '../graph/flow.ts'
import { mergeFlows } from '../merge/merge-flows.ts'
import { judgeWire, portsThatFit } from '../wiring/judge-wire.ts'
import { factsOf } from '../wiring/page-catalogue.test-kit.ts'
import { PageCatalogue } from '../wiring/page-catalogue.ts'
import { regionForNew } from '../wiring/region-scope.ts'
import { spliceInto } from '../wiring/splice.ts'
import { moveIntoRegions } from './move-into-region.ts'
import { frameOf, hiddenNodes, withInside } from './regions.ts'

const at = (id: string, x: number, y: number, more: Partial<Node> = {}) =>
  node(id, { position: { x, y }, ...more })

/** a → each(x → y) → b; a also leads to y, and c stands by itself. */
const flow = flowOf(
  [
    at('a-1', 0, 0, { type: 'merge' }),
    at('each-1', 300, 0, { type: 'for-each', size: { width: 800, height: 240 } }),
    at('x-1', 420, 100, { type: 'merge', parent: 'each-1' }),
    at('y-1', 740, 100, { type: 'merge', parent: 'each-1' }),
    at('b-1', 1200, 0, { type: 'merge' }),
    at('c-1', 1200, 300, { type: 'merge' })
  ],
  [
    'a-1.data -> each-1.items',
    'each-1.item -> x-1.in_1',
    'x-1.data -> y-1.in_1',
    'a-1.data -> y-1.in_2',
    'y-1.data -> each-1.result',
    'each-1.results -> b-1.in_1'
  ]
)
const catalogue = new PageCatalogue(builtInComponents.map(factsOf))

const wires = ({ edges }: Flow) => edges.map(({ from, to }) => `${from} -> ${to}`)
const lost = (after: Flow) => wires(flow).filter((wire) => !wires(after).includes(wire))
const placeOf = ({ nodes }: Flow, id: string) => nodes.find((found) => found.id === id)!.position
const parentOf = ({ nodes }: Flow, id: string) => nodes.find((found) => found.id === id)?.parent
const into = (nodes: readonly string[], region: string | null, from = flow) =>
  applyCommand(from, { kind: 'set-region', nodes, region })

describe('a region', () => {
  it('takes its nodes along when it is moved, except those that go somewhere themselves', () => {
    const moved = applyCommand(flow, { kind: 'move', positions: { 'each-1': { x: 310, y: 50 } } })
    assert.deepEqual(
      ['each-1', 'x-1', 'y-1', 'b-1'].map((id) => placeOf(moved, id)),
      [
        { x: 310, y: 50 },
        { x: 430, y: 150 },
        { x: 750, y: 150 },
        { x: 1200, y: 0 }
      ]
    )
    const both = { 'each-1': { x: 310, y: 50 }, 'x-1': { x: 500, y: 200 } }
    assert.deepEqual(placeOf(applyCommand(flow, { kind: 'move', positions: both }), 'x-1'), both['x-1'])
  })

  it('grows with what is moved past its left or upper side, and its other sides stay', () => {
    const moved = applyCommand(flow, { kind: 'move', positions: { 'x-1': { x: 312, y: 54 } } })
    const { position, size } = moved.nodes[1]!
    assert.deepEqual(
      [position, size],
      [
        { x: 200, y: -40 },
        { width: 900, height: 280 }
      ]
    )
    const box = { x: 1000, y: 100, width: 240, height: 64 }
    assert.deepEqual(frameOf(flow.nodes[1]!, [box]), { x: 300, y: 0, width: 1052, height: 240 })
  })

  it('is removed and copied with all that stands in it', () => {
    const left = applyCommand(flow, { kind: 'remove', ids: ['each-1'] })
    assert.deepEqual([left.nodes.map(({ id }) => id), left.edges], [['a-1', 'b-1', 'c-1'], []])
    const whole = withInside(flow, new Set(['each-1']))
    const { fragment } = readClipboard(copySelection(flow, whole))
    const pasted = applyCommand(flow, { kind: 'insert', fragment: fragment! })
    assert.deepEqual(
      pasted.nodes.slice(6).map(({ id, parent }) => [id, parent]),
      [
        ['each-2', undefined],
        ['x-2', 'each-2'],
        ['y-2', 'each-2']
      ]
    )
    assert.deepEqual(wires(pasted).slice(6), [
      'each-2.item -> x-2.in_1',
      'x-2.data -> y-2.in_1',
      'y-2.data -> each-2.result'
    ])
  })

  it('is not named by what is copied without it', () => {
    const { fragment } = readClipboard(copySelection(flow, new Set(['x-1'])))
    assert.equal('parent' in fragment!.nodes[0]!, false)
  })

  it('hides its nodes when it is collapsed', () => {
    const closed = applyCommand(flow, { kind: 'change-node', node: 'each-1', changes: { collapsed: true } })
    assert.deepEqual(
      [...hiddenNodes(closed)],
      [
        ['x-1', 'each-1'],
        ['y-1', 'each-1']
      ]
    )
    assert.equal(hiddenNodes(flow).size, 0)
  })

  it('that another editor removed leaves what I put into it outside', () => {
    const mine = into(['c-1'], 'each-1')
    const theirs = applyCommand(flow, { kind: 'remove', ids: ['each-1'] })
    const { flow: merged } = mergeFlows({ base: flow, mine, theirs }, { otherwise: 'theirs' })
    assert.equal(parentOf(merged, 'c-1'), undefined)
  })
})

describe('a node that is moved', () => {
  it('out of a region loses the wires that cannot leave it, and no others', () => {
    const out = into(['y-1'], null)
    assert.equal(parentOf(out, 'y-1'), undefined)
    assert.deepEqual(lost(out), ['x-1.data -> y-1.in_1', 'y-1.data -> each-1.result'])
    assert.deepEqual(lost(into(['x-1'], null)), ['each-1.item -> x-1.in_1'])
    assert.deepEqual(lost(into(['x-1', 'y-1'], null)), [
      'each-1.item -> x-1.in_1',
      'y-1.data -> each-1.result'
    ])
  })

  it('into a region loses the wires that would lead out of it', () => {
    assert.deepEqual(lost(into(['a-1'], 'each-1')), ['a-1.data -> each-1.items'])
    assert.deepEqual(lost(into(['b-1'], 'each-1')), ['each-1.results -> b-1.in_1'])
    assert.deepEqual(lost(into(['c-1'], 'each-1')), [])
  })

  it('stays where it is when it holds others, or there is no such region', () => {
    assert.equal(into(['each-1'], 'each-1'), flow)
    assert.equal(into(['c-1'], 'gone'), flow)
    assert.equal(into(['c-1'], 'x-1'), flow)
    assert.equal(into(['x-1'], 'each-1'), flow)
  })

  it('is told why it cannot stand there, and how many wires go', () => {
    const more = {
      ...flow,
      nodes: [...flow.nodes, node('r-1', { type: 'return' }), node('w-1', { type: 'webhook' })]
    }
    const wished = new Map([
      ['r-1', 'each-1'],
      ['w-1', 'each-1'],
      ['b-1', 'each-1'],
      ['x-1', 'each-1']
    ])
    const { leave, enter, cut, refusals } = moveIntoRegions(more, catalogue, wished)
    assert.deepEqual([leave, enter], [[], [{ kind: 'set-region', nodes: ['b-1'], region: 'each-1' }]])
    assert.equal(cut, 1)
    assert.match(refusals.join(' '), /Result.*starts runs/)
  })
})

describe('a wire of a region', () => {
  const out = (node: string, port: string) => ({ node, port, side: 'output' }) as const
  const inp = (node: string, port: string) => ({ node, port, side: 'input' }) as const

  it('leads out of it by its result alone', () => {
    const fits = (one: ReturnType<typeof out>, other: ReturnType<typeof inp>) =>
      judgeWire(flow, catalogue, one, other).fits
    assert.ok(fits(out('each-1', 'item'), inp('each-1', 'result')))
    assert.ok(fits(out('a-1', 'data'), inp('x-1', 'in_2')))
    assert.ok(!fits(out('x-1', 'data'), inp('b-1', 'in_2')))
    assert.ok(!fits(out('each-1', 'item'), inp('c-1', 'in_1')))
    assert.ok(!fits(out('c-1', 'data'), inp('each-1', 'result')))
    assert.ok(!fits(out('b-1', 'data'), inp('x-1', 'in_2')), 'b waits for the region')
  })

  it('is offered where it may end', () => {
    const offered = (handle: Parameters<typeof portsThatFit>[2]) => [...portsThatFit(flow, catalogue, handle)]
    assert.deepEqual(offered(out('x-1', 'data')), ['each-1.result', 'y-1.in_1', 'y-1.in_2'])
    assert.deepEqual(offered(out('b-1', 'data')), ['c-1.in_1', 'c-1.in_2'])
    assert.deepEqual(offered(out('each-1', 'index')), [
      'each-1.result',
      'x-1.in_1',
      'x-1.in_2',
      'y-1.in_1',
      'y-1.in_2'
    ])
    assert.deepEqual(offered(inp('x-1', 'in_2')), ['a-1.data', 'each-1.item', 'each-1.index', 'c-1.data'])
    assert.deepEqual(offered(inp('each-1', 'result')), [
      'each-1.item',
      'each-1.index',
      'x-1.data',
      'y-1.data'
    ])
  })

  it('takes in a node on its side of the frame', () => {
    const [, item, inner] = flow.edges
    assert.equal(spliceInto(flow, catalogue, 'c-1', inner!)?.command, undefined)
    const inside = into(['c-1'], 'each-1')
    assert.ok(spliceInto(inside, catalogue, 'c-1', inner!)?.command)
    assert.ok(spliceInto(inside, catalogue, 'c-1', item!)?.command)
    assert.equal(spliceInto(inside, catalogue, 'c-1', flow.edges[0]!)?.command, undefined)
  })

  it('tells where a new node at its end stands', () => {
    const forNew = (under: string | undefined, asked: Parameters<typeof regionForNew>[3]) =>
      regionForNew(flow, catalogue, under, asked)
    assert.equal(forNew('each-1', {}), 'each-1')
    assert.equal(forNew(undefined, { handle: out('each-1', 'item') }), 'each-1')
    assert.equal(forNew(undefined, { handle: out('x-1', 'data') }), 'each-1')
    assert.equal(forNew('each-1', { handle: out('a-1', 'data') }), 'each-1')
    assert.equal(forNew('each-1', { handle: inp('b-1', 'in_2') }), undefined)
    assert.equal(forNew(undefined, { handle: inp('each-1', 'result') }), 'each-1')
    assert.equal(forNew(undefined, { into: flow.edges[2]! }), 'each-1')
    assert.equal(forNew('each-1', { into: flow.edges[5]! }), undefined)
  })
})
