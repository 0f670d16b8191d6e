import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Flow, Point } from '../../../editor/graph/flow.ts'
import { builtInCatalogue } from '../../../editor/wiring/page-catalogue.test-kit.ts'
import { freePlace, openPlace } from './free-place.ts'
import { sizeOfNew } from './size-of-new.ts'

function flowWith(...places: readonly Point[]): Flow {
  const nodes = places.map((position, index) => ({ id: `n-${index}`, type: 'parser', position, fields: {} }))
  return { name: 'F', slug: 'f', context: '/', nodes, edges: [] }
}

const SIZE = { width: 240, height: 64 }

describe('a place for something new', () => {
  it('is on the grid, where it was wished', () => {
    assert.deepEqual(freePlace(flowWith(), { x: 101, y: 9 }), { x: 96, y: 16 })
    assert.deepEqual(openPlace(flowWith(), new Map(), { x: 101, y: 9 }, SIZE), { x: 96, y: 16 })
  })

  it('is never exactly upon something else', () => {
    const flow = flowWith({ x: 0, y: 0 }, { x: 32, y: 32 })
    assert.deepEqual(freePlace(flow, { x: 3, y: 3 }), { x: 64, y: 64 })
  })

  it('covers nothing where room is looked for', () => {
    const flow = flowWith({ x: 0, y: 0 }, { x: 320, y: 0 }, { x: 0, y: 200 })
    const { x, y } = openPlace(flow, new Map(), { x: 10, y: 10 }, SIZE)
    for (const { position } of flow.nodes) {
      const isApart = Math.abs(position.x - x) >= SIZE.width || Math.abs(position.y - y) >= SIZE.height
      assert.ok(isApart, `${x} ${y} covers ${position.x} ${position.y}`)
    }
  })
})

describe('the size of something new', () => {
  const sizeOf = (type: string) => {
    const node = { id: 'new', type, position: { x: 0, y: 0 }, fields: {} }
    return sizeOfNew(flowWith(), builtInCatalogue(), node)
  }

  it('has room for ports that follow from fields, and is that of the frame of a For each', () => {
    assert.equal(sizeOf('merge').height - sizeOf('parser').height, 2 * 24 + 6)
    assert.ok(sizeOf('approve').height > sizeOf('merge').height)
    assert.ok(sizeOf('for-each').width > 2 * SIZE.width)
  })
})
