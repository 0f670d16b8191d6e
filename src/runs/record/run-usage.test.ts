import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { modelUsage, runUsage } from './run-usage.ts'

const usage = { model: 'large', input_tokens: 10, cached_tokens: 4, output_tokens: 3 }

const reportsUsage = true as const

describe('what a run used', () => {
  it('is the sum of its steps, and nothing where no step used a model', () => {
    const steps = [
      { outputs: { usage }, reportsUsage },
      { outputs: null },
      { outputs: { text: 'a' } },
      { outputs: { usage }, reportsUsage }
    ]
    assert.deepEqual(runUsage(steps), {
      input_tokens: 20,
      cached_tokens: 8,
      output_tokens: 6,
      total_tokens: 26
    })
    assert.equal(runUsage([{ outputs: { text: 'a' } }]), null)
  })

  it('is told by model, in whole tokens', () => {
    const small = { model: 'a \0small one', input_tokens: 1.4, output_tokens: 0.6 }
    const steps = [
      { outputs: { usage }, reportsUsage },
      { outputs: { usage: small }, reportsUsage },
      { outputs: { usage }, reportsUsage }
    ]
    assert.deepEqual(modelUsage(steps), [
      { model: 'a small one', input: 1, cached: 0, output: 1 },
      { model: 'large', input: 20, cached: 8, output: 6 }
    ])
  })

  it('is not taken from a step whose component does not say so', () => {
    assert.deepEqual(modelUsage([{ outputs: { usage } }]), [])
    assert.equal(runUsage([{ outputs: { usage } }]), null)
  })

  it('is not taken from an output that only has the name', () => {
    for (const other of [
      'text',
      5,
      null,
      [],
      {},
      { ...usage, input_tokens: -1 },
      { ...usage, output_tokens: 1e300 },
      { ...usage, model: 1 }
    ]) {
      assert.deepEqual(modelUsage([{ outputs: { usage: other }, reportsUsage }]), [])
    }
  })
})
