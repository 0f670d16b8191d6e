import assert from 'node:assert/strict'
import { it } from 'node:test'
import { LongValue } from '../flows/json/long-value.ts'
import type { PresentedRun } from '../runs/present/run-shape.ts'
import { toldRun } from './told-run.ts'

it('tells a model of a run by the beginnings of its values, and of data only where that is said', () => {
  const error = { code: 'template_missing_key', message: 'm'.repeat(50_000) }
  const step = { node: 'parser-1', type: 'parser', attempts: 1, outputs: null, error }
  const steps = [
    {
      ...step,
      node: 'a',
      status: 'succeeded',
      error: null,
      outputs: { data: { text: 's'.repeat(1_000_000) }, long: new LongValue([1, 'x', 9, 9e6]) }
    },
    { ...step, status: 'failed' }
  ]
  const run = {
    status: 'failed',
    trigger: 'api',
    error: { node: 'parser-1', ...error },
    input: { private: 'Ann' },
    steps
  }
  const whole = toldRun(run as unknown as PresentedRun, true)
  assert.ok(whole.length < 41_000, `${whole.length}`)
  assert.match(whole, /Ann.*parser-1.*ssss.*1000000 characters.*9000000 bytes/)
  const without = toldRun(run as unknown as PresentedRun, false)
  assert.doesNotMatch(without, /Ann|ssss/)
  assert.match(without, /"node":"parser-1","type":"parser","status":"failed".*template_missing_key/)
})
