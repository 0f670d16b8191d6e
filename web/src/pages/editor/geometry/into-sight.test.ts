import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isTouched, isWhole, shiftIntoSight } from './into-sight.ts'

const sight = { transform: [0, 0, 1], width: 500, height: 400 } as const

describe('what is in sight', () => {
  it('is what does not reach over the rim', () => {
    assert.ok(isWhole({ x: 0, y: 0, width: 500, height: 400 }, sight))
    assert.ok(!isWhole({ x: 300, y: 0, width: 260, height: 100 }, sight))
    assert.ok(isWhole({ x: 300, y: 0, width: 260, height: 100 }, { ...sight, transform: [0, 0, 0.5] }))
  })

  it('is partly what reaches into it', () => {
    assert.ok(isTouched({ x: 490, y: 390, width: 260, height: 100 }, sight))
    assert.ok(!isTouched({ x: 510, y: 0, width: 260, height: 100 }, sight))
    assert.ok(!isTouched({ x: 0, y: -120, width: 260, height: 100 }, sight))
    assert.ok(isTouched({ x: 510, y: 0, width: 260, height: 100 }, { ...sight, transform: [0, 0, 0.5] }))
  })

  it('is brought there by the shortest way, with room to the rim', () => {
    const part = { x: 300, y: 100, width: 260, height: 100 }
    assert.deepEqual(shiftIntoSight(part, sight), { x: -76, y: 0 })
    assert.deepEqual(shiftIntoSight(part, { ...sight, transform: [-320, -100, 1] }), { x: 36, y: 16 })
  })

  it('is not behind the buttons that lie over the canvas', () => {
    assert.deepEqual(shiftIntoSight({ x: 100, y: 300, width: 260, height: 120 }, sight), { x: 0, y: -84 })
  })

  it('is the beginning of what is larger than the canvas', () => {
    const part = { x: 100, y: 200, width: 260, height: 900 }
    assert.deepEqual(shiftIntoSight(part, sight), { x: 0, y: -184 })
  })
})
