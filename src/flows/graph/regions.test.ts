import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { builtInCatalogue } from '../../contexts/catalogue.test-kit.ts'
import { validateFlow } from '../validate/validate-flow.ts'
import { nodeOrder, type Wire, wiresOf } from './graph.ts'
import { parentsOf, regionsOf } from './regions.ts'
import { takenNodes } from './taken-nodes.ts'

const catalogue = builtInCatalogue()
const REGION = 'each'
const OUTSIDE = ['a', 'b', 'c']
const INSIDE = ['x', 'y', 'z']

type Pair = readonly [from: string, to: string]

function documentOf(pairs: readonly Pair[]) {
  const merge = (id: string, parent?: string) => ({
    id,
    type: 'merge',
    position: { x: 0, y: 0 },
    fields: { inputs: 2 },
    ...(parent === undefined ? {} : { parent })
  })
  return {
    name: 'Regions',
    slug: 'regions',
    context: '/',
    nodes: [
      ...INSIDE.map((id) => merge(id, REGION)),
      { id: REGION, type: 'for-each', position: { x: 0, y: 0 }, fields: {} },
      ...OUTSIDE.map((id) => merge(id))
    ],
    edges: pairs.map(([from, to]) => ({ from, to }))
  }
}

/** The region told apart: what it waits for (`in`), and what comes when all items are done (`out`). */
const BEFORE = `${REGION}.in`
const AFTER = `${REGION}.out`

function vertexOf(end: string): string {
  const [node, port] = end.split('.') as [string, string]
  if (node !== REGION) return node
  return ['items', 'item', 'index'].includes(port) ? BEFORE : AFTER
}

function isInside(end: string): boolean {
  const [node, port] = end.split('.') as [string, string]
  return INSIDE.includes(node) || ['item', 'index', 'result'].includes(node === REGION ? port : '')
}

/** The rules as the contract says them, without a thought for speed. */
function isSound(pairs: readonly Pair[]): boolean {
  for (const [from, to] of pairs) {
    if (isInside(from) && !isInside(to)) return false
    if (!isInside(from) && to === `${REGION}.result`) return false
    if (from.startsWith(`${REGION}.`) && !isInside(from) && isInside(to)) return false
  }
  const next = new Map<string, Set<string>>()
  const lead = (from: string, to: string) => next.set(from, (next.get(from) ?? new Set()).add(to))
  for (const [from, to] of pairs) {
    lead(vertexOf(from), vertexOf(to))
    if (!isInside(from) && isInside(to)) lead(vertexOf(from), BEFORE)
  }
  for (const id of [...INSIDE, AFTER]) lead(BEFORE, id)
  for (const id of INSIDE) lead(id, AFTER)
  return [...next.keys()].every((start) => !reaches(next, start))
}

function reaches(next: ReadonlyMap<string, ReadonlySet<string>>, start: string): boolean {
  const seen = new Set(next.get(start))
  for (const id of seen) for (const other of next.get(id) ?? []) seen.add(other)
  return seen.has(start)
}

const nodes = [...OUTSIDE, ...INSIDE]
const outputs = [...nodes.map((id) => `${id}.data`), 'each.item', 'each.index', 'each.results', 'each.errors']
const inputs = [...nodes.map((id) => `${id}.in_1`), 'each.items', 'each.result']
const wires = fc.uniqueArray(fc.tuple(fc.constantFrom(...outputs), fc.constantFrom(...inputs)), {
  maxLength: 7,
  selector: (pair) => pair.join(' ')
})

describe('regions', () => {
  it('are refused where wires leave them, or a flow with them does not run forward', () => {
    fc.assert(
      fc.property(wires, (pairs) => {
        const { faults } = validateFlow(documentOf(pairs), catalogue)
        assert.equal(faults === undefined, isSound(pairs), JSON.stringify(faults))
      }),
      { numRuns: 500 }
    )
  })

  it('come after all that leads to their inside, and before their inside', () => {
    fc.assert(
      fc.property(wires.filter(isSound), (pairs) => {
        const document = documentOf(pairs)
        const order = nodeOrder(document)
        assert.equal(order.length, document.nodes.length)
        for (const id of INSIDE) assert.ok(order.indexOf(REGION) < order.indexOf(id))
        for (const [from, to] of pairs) {
          const [source, target] = [from.split('.')[0]!, to.split('.')[0]!]
          if (to === 'each.result') continue
          assert.ok(order.indexOf(source) < order.indexOf(target), `${order}`)
          if (INSIDE.includes(target) && OUTSIDE.includes(source))
            assert.ok(order.indexOf(source) < order.indexOf(REGION), `${order}`)
        }
      })
    )
  })

  it('tell their nodes, their own wires and those that lead in, in the order of the document', () => {
    const pairs: Pair[] = [
      ['a.data', 'each.items'],
      ['y.data', 'each.result'],
      ['each.index', 'y.in_2'],
      ['b.data', 'y.in_1'],
      ['each.item', 'x.in_1'],
      ['x.data', 'y.in_1'],
      ['each.item', 'each.result'],
      ['each.results', 'c.in_1']
    ]
    const document = documentOf(pairs)
    const regions = regionsOf(document.nodes, wiresOf(document))
    const [region] = regions.values()
    const told = (list: readonly Wire[]) =>
      list.map(({ fromNode, fromPort, toNode, toPort }) => `${fromNode}.${fromPort} ${toNode}.${toPort}`)
    assert.deepEqual([...regions.keys()], [REGION])
    assert.deepEqual(region!.inside, INSIDE)
    assert.deepEqual(
      told(region!.wiresInside),
      [1, 2, 4, 5, 6].map((at) => pairs[at]!.join(' '))
    )
    assert.deepEqual(told(region!.wiresIn), [pairs[3]!.join(' ')])
  })

  it('of no node, of a node inside, or of itself hold nothing', () => {
    const held = parentsOf([
      { id: 'each' },
      { id: 'x', parent: 'each' },
      { id: 'y', parent: 'x' },
      { id: 'z', parent: 'z' },
      { id: 'w', parent: 'nobody' }
    ])
    assert.deepEqual([...held], [['x', 'each']])
  })

  it('are taken by a run with all that stands in them, and all that leads there', () => {
    const document = documentOf([
      ['a.data', 'each.items'],
      ['b.data', 'x.in_1'],
      ['x.data', 'each.result'],
      ['each.results', 'c.in_1']
    ])
    const trigger = ({ id }: { id: string }) => (id === 'a' ? 'webhook' : undefined)
    const taken = takenNodes(document.nodes, wiresOf(document), trigger).get('webhook')!
    assert.deepEqual([...taken].sort(), ['a', 'b', 'c', 'each', 'x', 'y', 'z'])
    const aside = takenNodes([...document.nodes, { id: 'w' }], wiresOf(document), ({ id }) =>
      id === 'w' ? 'webhook' : undefined
    )
    assert.deepEqual([...aside.get('webhook')!], ['w'])
  })
})
