import assert from 'node:assert/strict'
import { it } from 'node:test'
import { usageByModel, usageOf } from './token-usage.ts'

const used = (input: number, cached: number, output: number) => ({
  input_tokens: input,
  cached_tokens: cached,
  output_tokens: output,
  total_tokens: input + output
})

it('tokens of buckets are summed up, also by model', () => {
  const buckets = [
    { usage: null },
    { usage: { ...used(10, 2, 3), models: [{ model: 'small', ...used(10, 2, 3) }] } },
    {
      usage: {
        ...used(30, 0, 5),
        models: [
          { model: 'large', ...used(25, 0, 5) },
          { model: 'small', ...used(5, 0, 0) }
        ]
      }
    }
  ]
  assert.equal(usageOf(buckets.slice(0, 1)), null)
  assert.deepEqual(usageOf(buckets), used(40, 2, 8))
  assert.deepEqual(usageByModel(buckets), [
    { model: 'large', ...used(25, 0, 5) },
    { model: 'small', ...used(15, 2, 3) }
  ])
})
