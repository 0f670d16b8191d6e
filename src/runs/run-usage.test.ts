import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runUsage, stepUsages } from './run-usage.ts'

const usage = { model: 'large', input_tokens: 10, cached_tokens: 4, output_tokens: 3 }

describe('what a run used', () => {
  it('is the sum of its steps, and nothing where no step used a model', () => {
    const steps = [
      { outputs: { usage } },
      { outputs: null },
      { outputs: { text: 'a' } },
      { outputs: { usage } }
    ]
    assert.deepEqual(runUsage(steps), {
      input_tokens: 20,
      cached_tokens: 8,
      output_tokens: 6,
      total_tokens: 26
    })
    assert.equal(runUsage([{ outputs: { text: 'a' } }]), null)
  })

  it('is not taken from an output that only has the name', () => {
    for (const other of ['text', 5, null, [], {}, { ...usage, input_tokens: -1 }, { ...usage, model: 1 }]) {
      assert.deepEqual(stepUsages([{ outputs: { usage: other } }]), [])
    }
  })
})
