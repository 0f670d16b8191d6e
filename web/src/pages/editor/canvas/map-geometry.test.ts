import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fromMap, mapScale, onMap, viewOf } from './map-geometry.ts'

const SHEET = { width: 200, height: 150 }
const VIEW = { x: 0, y: 0, width: 1000, height: 500 }

describe('the map of a flow', () => {
  it('holds all parts and what is in sight', () => {
    const parts = [
      { x: -500, y: 0, width: 272, height: 100 },
      { x: 2000, y: 900, width: 272, height: 100 }
    ]
    const scale = mapScale(parts, VIEW, SHEET)
    for (const part of [...parts, VIEW]) {
      const { x, y, width, height } = onMap(part, scale)
      assert.ok(x >= 0 && y >= 0 && x + width <= SHEET.width && y + height <= SHEET.height)
    }
  })

  it('leads back to the canvas', () => {
    const scale = mapScale([], VIEW, SHEET)
    const { x, y } = onMap({ x: 123, y: 45, width: 0, height: 0 }, scale)
    const back = fromMap({ x, y }, scale)
    assert.ok(Math.abs(back.x - 123) < 1e-9 && Math.abs(back.y - 45) < 1e-9)
  })

  it('knows what is in sight', () => {
    assert.deepEqual(viewOf([-100, 50, 0.5], 800, 400), { x: 200, y: -100, width: 1600, height: 800 })
  })
})
