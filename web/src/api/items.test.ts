import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { resultOf } from './items.ts'
import type { Run } from './shapes.ts'

const steps = [{ node: 'each', outputs: { result: 7 } }]
const parent = { run_id: 'r', node: 'each', index: 0 }
const item = { trigger: 'for-each', parent, output: null, steps } as unknown as Run

describe('what a run gave back', () => {
  it('is the result of an item, and else what its Return got', () => {
    assert.equal(resultOf(item), 7)
    assert.equal(resultOf({ ...item, steps: [] }), undefined)
    assert.equal(resultOf({ ...item, trigger: 'run-flow', output: 'done' }), 'done')
    assert.equal(resultOf({ ...item, trigger: 'run-flow' }), undefined)
  })
})
