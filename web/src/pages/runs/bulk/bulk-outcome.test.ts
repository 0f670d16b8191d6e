import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RunStatus } from '../../../api/shapes.ts'
import { isTrouble, type Outcome, outcomeOf, progressWords } from './bulk-outcome.ts'

const statusesOf = (...statuses: [string, RunStatus][]) => new Map(statuses)
const going = (total: number) => ({ total, isFinished: false, isStopped: false })

describe('what came of a run', () => {
  it('is the state of the try that was started, and no success until it has succeeded', () => {
    const result = { id: 'a', startedId: 'a' }
    const told = (...statuses: [string, RunStatus][]) => outcomeOf(result, statusesOf(...statuses))
    assert.equal(told(), 'queued')
    assert.equal(told(['a', 'in progress']), 'in progress')
    assert.equal(told(['a', 'failed']), 'failed')
    assert.equal(told(['a', 'succeeded']), 'succeeded')
  })

  it('is that of the new run, where it is another one', () => {
    const statuses = statusesOf(['a', 'failed'], ['b', 'succeeded'])
    assert.equal(outcomeOf({ id: 'a', startedId: 'b' }, statuses), 'succeeded')
  })

  it('is done where nothing is started, and refused where the service said no', () => {
    assert.equal(outcomeOf({ id: 'a' }, statusesOf(['a', 'cancelled'])), 'done')
    assert.equal(outcomeOf({ id: 'a', error: new Error('no') }, statusesOf(['a', 'failed'])), 'refused')
  })

  it('is trouble where it was refused or failed once more', () => {
    const all: Outcome[] = ['done', 'queued', 'in progress', 'succeeded', 'failed', 'cancelled', 'refused']
    assert.deepEqual(all.filter(isTrouble), ['failed', 'refused'])
  })
})

describe('the words of a bulk action', () => {
  const retry = { startsRuns: true }

  it('tell how the runs are doing that it started', () => {
    const outcomes: Outcome[] = ['failed', 'in progress', 'failed', 'refused']
    assert.equal(
      progressWords(retry, going(5), outcomes),
      '3 of 5 started, 1 refused: 1 in progress, 2 failed'
    )
    assert.equal(progressWords(retry, going(2), []), '0 of 2 started')
  })

  it('tell that it was stopped before all were started', () => {
    const stopped = { total: 3, isFinished: true, isStopped: true }
    assert.equal(progressWords(retry, stopped, ['queued']), '1 of 3 started, stopped: 1 queued')
  })

  it('are done and refused where it starts nothing', () => {
    assert.equal(
      progressWords({ startsRuns: false }, going(2), ['done', 'refused']),
      '1 of 2 done, 1 refused'
    )
  })
})
