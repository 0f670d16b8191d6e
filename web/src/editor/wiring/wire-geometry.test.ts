import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { curveOf, wireUnder } from './wire-geometry.ts'

const wire = (name: string, from: [number, number], to: [number, number]) => ({
  edge: { from: name, to: name },
  from: { x: from[0], y: from[1] },
  to: { x: to[0], y: to[1] }
})
const box = (x: number, y: number, width = 100, height = 60) => ({ x, y, width, height })
const under = (rectangle: ReturnType<typeof box>, ...wires: ReturnType<typeof wire>[]) =>
  wireUnder(rectangle, wires)?.edge.from

describe('the wire under a node', () => {
  const straight = wire('straight', [0, 0], [400, 0])

  it('is one that crosses its rectangle', () => {
    assert.equal(under(box(150, -30), straight), 'straight')
    assert.equal(under(box(150, 10), straight), undefined)
    assert.equal(under(box(450, -30), straight), undefined)
  })

  it('is of several the one nearest to the middle', () => {
    const lower = wire('lower', [0, 20], [400, 20])
    assert.equal(under(box(150, -25), straight, lower), 'straight')
    assert.equal(under(box(150, -12), straight, lower), 'lower')
  })

  it('is bent as it is drawn, also where it leads back', () => {
    const bent = wire('bent', [0, 0], [400, 300])
    assert.equal(under(box(300, 205, 20, 20), bent), undefined, 'a straight line would pass here')
    assert.equal(under(box(180, 130, 40, 40), bent), 'bent')
    const back = wire('back', [400, 0], [0, 200])
    assert.equal(under(box(410, 5, 40, 40), back), 'back', 'it leaves to the right before it turns')
  })

  it('is found by a corner of a flat node too', () => {
    assert.equal(under(box(0, 0, 300, 10), wire('steep', [285, -100], [295, 100])), 'steep')
  })

  it('passes through every point of its curve', () => {
    const coordinate = fc.integer({ min: -500, max: 500 })
    fc.assert(
      fc.property(
        fc.tuple(coordinate, coordinate),
        fc.tuple(coordinate, coordinate),
        fc.nat(24),
        (from, to, index) => {
          const found = wire('any', from, to)
          const point = curveOf(found)[index]!
          assert.equal(under(box(point.x - 1, point.y - 1, 2, 2), found), 'any')
        }
      )
    )
  })
})
