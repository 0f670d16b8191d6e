import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isPushedOut, isTouched, isWhole, type Seen, shiftIntoSight } from './into-sight.ts'

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

describe('a part that a panel comes over', () => {
  const seen = (x: number, more: Partial<Seen> = {}): Seen => ({
    ...{ ...sight, id: 'a', box: { x, y: 100, width: 260, height: 62 } },
    ...more
  })
  const small = { width: 300 }

  it('is pushed out, also where half of it was in sight', () => {
    assert.ok(isPushedOut(seen(100), seen(100, small)))
    assert.ok(isPushedOut(seen(400), seen(400, small)))
    assert.ok(isPushedOut(seen(-100), seen(-100, small)))
  })

  it('is not where it is still in sight, or was not before', () => {
    assert.ok(!isPushedOut(seen(20), seen(20, small)))
    assert.ok(!isPushedOut(seen(600), seen(600, small)))
  })

  it('is not where a hand moved it or the canvas, or the canvas got larger', () => {
    assert.ok(!isPushedOut(seen(100), seen(400)))
    assert.ok(!isPushedOut(seen(100), seen(100, { transform: [300, 0, 1] })))
    assert.ok(!isPushedOut(seen(400, small), seen(400)))
  })
})
