import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { atOnce } from '../in-turns.ts'
import { completeInTurns } from '../validate/complete-document.ts'
import { placeInTurns } from './place-nodes.ts'

const edge = (from: string, to: string) => ({ from: `${from}.out`, to: `${to}.in` })
const ids = (...names: string[]) => names.map((id) => ({ id }))

describe('nodes without places', () => {
  it('stand in columns by their wires, and below one another in the order of the document', () => {
    const edges = [edge('a', 'b'), edge('a', 'c'), edge('b', 'd'), edge('c', 'd')]
    const places = atOnce(placeInTurns(ids('d', 'a', 'b', 'c'), edges))
    assert.deepEqual(
      Object.fromEntries(places),
      Object.fromEntries([
        ['a', { x: 0, y: 0 }],
        ['b', { x: 340, y: 0 }],
        ['c', { x: 340, y: 170 }],
        ['d', { x: 680, y: 0 }]
      ])
    )
  })

  it('stand below the wires that pass them by', () => {
    const edges = [edge('a', 'b'), edge('b', 'c'), edge('a', 'c')]
    const { a, b, c } = Object.fromEntries(atOnce(placeInTurns(ids('a', 'b', 'c'), edges)))
    assert.deepEqual([a!.y, b!.y, c!.y], [0, 170, 0])
  })

  it('stand in the frame that they say, and nothing else does', () => {
    const nodes = [...ids('hook', 'each', 'end'), ...['p', 'q'].map((id) => ({ id, parent: 'each' }))]
    const edges = [
      edge('hook', 'each'),
      edge('each', 'p'),
      edge('p', 'q'),
      edge('q', 'each'),
      edge('each', 'end')
    ]
    const { each, p, q, end } = Object.fromEntries(atOnce(placeInTurns(nodes, edges)))
    assert.ok(each!.x < p!.x && p!.x < q!.x && q!.x + 240 < end!.x, JSON.stringify({ each, p, q, end }))
    assert.ok(each!.y < p!.y && p!.y === q!.y)
  })

  it('are let be where they form a ring, which is refused later', () => {
    const places = atOnce(placeInTurns(ids('a', 'b'), [edge('a', 'b'), edge('b', 'a')]))
    assert.deepEqual(
      [...places.values()],
      [
        { x: 0, y: 0 },
        { x: 0, y: 170 }
      ]
    )
  })
})

describe('a document', () => {
  const edges = [edge('a', 'b')]
  const placesIn = (nodes: object[]) =>
    (atOnce(completeInTurns({ nodes, edges })).nodes as { position: unknown }[]).map(
      ({ position }) => position
    )

  it('that says nothing of places gets some', () => {
    assert.deepEqual(placesIn(ids('a', 'b')), [
      { x: 0, y: 0 },
      { x: 340, y: 0 }
    ])
  })

  it('keeps those that it says, and is not moved about by one that is missing', () => {
    const position = { x: 7, y: 7 }
    assert.deepEqual(placesIn([{ id: 'a', position }, { id: 'b' }]), [position, { x: 0, y: 0 }])
  })

  it('need not be sound', () => {
    assert.deepEqual(placesIn(ids('a', 'b', 'a')), [
      { x: 0, y: 0 },
      { x: 340, y: 0 },
      { x: 0, y: 0 }
    ])
    assert.deepEqual(atOnce(completeInTurns({ nodes: [7], edges: 'x' })).nodes, [7])
    const odd = atOnce(
      completeInTurns({ nodes: [{ id: 'a', parent: 'a' }], edges: [{ from: 'x', to: '.' }] })
    )
    assert.deepEqual(odd.nodes, [{ id: 'a', parent: 'a', position: { x: 0, y: 0 }, fields: {} }])
  })
})
