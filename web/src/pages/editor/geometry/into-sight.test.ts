import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { intoSight, isPushedOut, isTouched, isWhole, type Seen } from './into-sight.ts'

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
    assert.deepEqual(intoSight(part, [], sight), [-76, 0, 1])
    assert.deepEqual(intoSight(part, [], { ...sight, transform: [-320, -100, 1] }), [-284, -84, 1])
  })

  it('is not behind the buttons that lie over the canvas', () => {
    assert.deepEqual(intoSight({ x: 100, y: 300, width: 260, height: 120 }, [], sight), [0, -84, 1])
  })

  it('is the beginning of what is larger than the canvas', () => {
    const part = { x: 100, y: 200, width: 260, height: 900 }
    assert.deepEqual(intoSight(part, [], sight), [0, -184, 1])
  })
})

describe('a part with what it is wired to', () => {
  const node = (x: number, y = 100) => ({ x, y, width: 200, height: 60 })

  it('comes into sight as it is, where there is room for all', () => {
    assert.deepEqual(intoSight(node(280), [node(20)], sight), [0, 0, 1])
    assert.deepEqual(intoSight(node(280), [node(300, 200)], sight), [-16, 0, 1])
  })

  it('is drawn smaller for them, as far as it can be read', () => {
    const [x, y, zoom] = intoSight(node(280), [node(20), node(420)], sight)
    assert.equal(zoom, 468 / 600)
    for (const box of [node(280), node(20), node(420)]) {
      assert.ok(isWhole(box, { ...sight, transform: [x, y, zoom] }))
    }
  })

  it('has beside it those that are near, where there is no room for all', () => {
    const at = intoSight(node(280), [node(-900), node(20)], sight)
    assert.deepEqual(at, intoSight(node(280), [node(20)], sight))
    assert.deepEqual(intoSight(node(400), [node(-900)], sight), [-116, 0, 1])
  })

  it('is never drawn larger', () => {
    const small = { ...sight, transform: [0, 0, 0.4] } as const
    assert.deepEqual(intoSight(node(280), [node(20)], small), [8, 0, 0.4])
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

  it('is where what it is wired to is covered, and had been in sight', () => {
    const wired = (x: number) => [{ x, y: 100, width: 260, height: 62 }]
    assert.ok(isPushedOut(seen(20), seen(20, small), wired(200)))
    assert.ok(!isPushedOut(seen(20), seen(20, small), wired(600)))
    assert.ok(!isPushedOut(seen(20), seen(20, small), wired(-200)))
    assert.ok(!isPushedOut(seen(20), seen(20), wired(400)))
  })

  it('is not where a hand moved it or the canvas, or the canvas got larger', () => {
    assert.ok(!isPushedOut(seen(100), seen(400)))
    assert.ok(!isPushedOut(seen(100), seen(100, { transform: [300, 0, 1] })))
    assert.ok(!isPushedOut(seen(400, small), seen(400)))
  })
})
