import assert from 'node:assert/strict'
import { it } from 'node:test'
import { newUsage } from './new-usage.ts'

const usage = [
  { model: 'large', input: 10, cached: 4, output: 3 },
  { model: 'small', input: 5, cached: 0, output: 2 }
]

const settled = [
  {
    node: 'a',
    reportsUsage: true,
    outputs: { usage: { model: 'large', input_tokens: 10, cached_tokens: 4, output_tokens: 3 } }
  },
  {
    node: 'b',
    reportsUsage: true,
    outputs: { usage: { model: 'small', input_tokens: 1, output_tokens: 1 } }
  },
  { node: 'c', outputs: { text: 'none' } }
]

it('what a run used is told once, also where it was opened again', () => {
  assert.equal(newUsage({}, { usage: [] }, ['']).length, 0)
  assert.deepEqual(newUsage({}, { usage }, []), usage)
  assert.deepEqual(newUsage({ isTest: true }, { usage }, []), [], 'nothing of a test')
  const afterCrash = JSON.stringify({ at: 1, startedAt: 1, settled })
  assert.deepEqual(newUsage({}, { usage }, [afterCrash]), usage)
  const reopened = JSON.stringify({ at: 1, startedAt: 1, reopened: true, settled })
  assert.deepEqual(newUsage({}, { usage }, [reopened, afterCrash]), [
    { model: 'small', input: 4, cached: 0, output: 1 }
  ])
})
