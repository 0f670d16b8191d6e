import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arcAbove } from './arc-above.ts'

test('an arc between two tops rises above both, also where they are in one row', () => {
  assert.equal(arcAbove({ x: 0, y: 0 }, { x: 80, y: 0 }), 'M0,0 C0,-38 80,-38 80,0')
  assert.equal(arcAbove({ x: 80, y: 100 }, { x: 0, y: 40 }), 'M80,100 C80,2 0,2 0,40')
  assert.match(arcAbove({ x: 0, y: 0 }, { x: 9000, y: 0 }), /C0,-110 9000,-110/)
})
