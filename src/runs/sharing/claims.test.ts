import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storedRun } from '../record/stored-run.test-kit.ts'
import { type Claim, Claims } from './claims.ts'

function claimed(claim: string): Claim {
  const run = { ...storedRun(1), claim, deaths: 0, wasParked: true, takenAt: 0 }
  return { run, execution: undefined, isAwaiting: false, weight: 0 }
}

test('a run that is claimed again before it is known that it is parked stays claimed until that claim is over', () => {
  const runs = new Claims()
  const [first, second] = [claimed('1'), claimed('2')]
  runs.add(first)
  runs.setAwaiting(first, true)
  runs.add(second)
  assert.deepEqual([runs.get('run-1'), runs.all], [second, [first, second]])
  assert.equal(runs.remove(first), true)
  assert.equal(runs.remove(first), false)
  assert.deepEqual(
    [runs.get('run-1'), runs.size, runs.countsOf('flow-1')],
    [second, 1, { claimed: 1, awaiting: 0 }]
  )
  assert.equal(runs.setAwaiting(second, true), true)
  assert.equal(runs.remove(second), true)
  assert.deepEqual(
    [runs.get('run-1'), runs.size, runs.countsOf('flow-1')],
    [undefined, 0, { claimed: 0, awaiting: 0 }]
  )
})
