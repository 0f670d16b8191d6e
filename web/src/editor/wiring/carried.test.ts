import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { carriedBy, type RanStep, takenWire } from './carried.ts'

const STEPS = new Map<string, RanStep>([
  ['if-1', { status: 'succeeded', outputs: { true: { total: 7 } } }],
  ['zero-1', { status: 'succeeded', outputs: { data: null } }],
  ['call-1', { status: 'failed', outputs: { error: { code: 'x' } } }],
  ['call-2', { status: 'failed', outputs: null }],
  ['call-3', { status: 'cancelled', outputs: null }],
  ['mail-1', { status: 'skipped', outputs: null }],
  ['late-1', { status: 'not reached', outputs: null }],
  ['big-1', { status: 'succeeded', outputs: null, outputs_omitted: true }],
  ['slow-1', { status: 'in progress', outputs: null }]
])

describe('what a wire carried', () => {
  const rows: [from: string, carried: unknown][] = [
    ['if-1.true', { total: 7 }],
    ['if-1.false', 'silent: output'],
    ['zero-1.data', null],
    ['call-1.error', { code: 'x' }],
    ['call-1.body', 'silent: failed'],
    ['call-2.error', 'silent: failed'],
    ['call-3.body', 'silent: not reached'],
    ['mail-1.result', 'silent: skipped'],
    ['late-1.data', 'silent: not reached'],
    ['big-1.rows', 'unknown'],
    ['slow-1.data', 'unknown'],
    ['new-1.data', 'unknown'],
    ['nonsense', 'unknown']
  ]
  for (const [from, expected] of rows) {
    it(`is known of the wire from ${from}`, () => {
      const carried = carriedBy({ from }, STEPS)
      const found = carried.kind === 'silent' ? `silent: ${carried.because}` : carried.kind
      assert.deepEqual(carried.kind === 'value' ? carried.value : found, expected)
    })
  }

  it('is taken from the first of several that carries something', () => {
    const wires = ['mail-1.result', 'if-1.false', 'if-1.true', 'zero-1.data'].map((from) => ({
      from,
      to: 'a.b'
    }))
    assert.equal(takenWire(wires, STEPS)?.from, 'if-1.true')
    assert.equal(takenWire(wires.slice(0, 2), STEPS), undefined)
  })
})
