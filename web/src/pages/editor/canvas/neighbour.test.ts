import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nearest, neighbour, type Placed } from './neighbour.ts'

/*
 *   a   b   c
 *       d
 *               e
 */
const PARTS: readonly Placed[] = [
  { id: 'a', at: { x: 0, y: 0 } },
  { id: 'b', at: { x: 300, y: 0 } },
  { id: 'c', at: { x: 600, y: 10 } },
  { id: 'd', at: { x: 300, y: 200 } },
  { id: 'e', at: { x: 900, y: 500 } }
]

function from(id: string, direction: Parameters<typeof neighbour>[2]): string | undefined {
  return neighbour(PARTS, PARTS.find((part) => part.id === id)!, direction)
}

describe('arrow keys between nodes', () => {
  it('walk along a row', () => {
    assert.equal(from('a', 'right'), 'b')
    assert.equal(from('b', 'right'), 'c')
    assert.equal(from('c', 'left'), 'b')
  })

  it('change rows', () => {
    assert.equal(from('b', 'down'), 'd')
    assert.equal(from('d', 'up'), 'b')
    assert.equal(from('e', 'left'), 'd')
  })

  it('stop at the rim', () => {
    assert.equal(from('a', 'left'), undefined)
    assert.equal(from('b', 'up'), undefined)
  })

  it('begin with what is nearest to the middle of the view', () => {
    assert.equal(nearest(PARTS, { x: 320, y: 150 }), 'd')
    assert.equal(nearest([], { x: 0, y: 0 }), undefined)
  })
})
