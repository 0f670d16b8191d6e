import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { compareRuns, mergeRuns, placeOf, replaceRuns } from './run-rows.ts'
import { runAt } from './run-summary.test-kit.ts'

const rowsOf = (seconds: readonly number[]) => seconds.map((second) => runAt(second)).toSorted(compareRuns)
const seconds = fc.uniqueArray(fc.integer({ min: 0, max: 200 }))

describe('rows of runs', () => {
  it('stand newest first, by id within a millisecond', () => {
    const [a, b, c] = [runAt(1), runAt(2), { ...runAt(2), id: 'run-zzzz' }]
    assert.deepEqual([a, b, c].toSorted(compareRuns), [c, b, a])
  })

  it('are found at their place', () => {
    fc.assert(
      fc.property(seconds, (given) => {
        const rows = rowsOf(given)
        for (const [index, run] of rows.entries()) assert.equal(placeOf(rows, run), index)
      })
    )
  })

  it('stay in order and hold each run once, whatever is merged', () => {
    fc.assert(
      fc.property(seconds, seconds, (shown, news) => {
        const merged = mergeRuns(rowsOf(shown), rowsOf(news).toReversed())
        assert.deepEqual(merged, rowsOf([...new Set([...shown, ...news])]))
      })
    )
  })

  it('take what is new of a run that both hold', () => {
    const merged = mergeRuns(rowsOf([1, 2, 3]), [runAt(2, { status: 'failed' })])
    assert.deepEqual(
      merged.map(({ status }) => status),
      ['succeeded', 'failed', 'succeeded']
    )
  })

  it('are replaced in place, and stay the same object when none is', () => {
    const rows = rowsOf([1, 2, 3])
    const changed = replaceRuns(rows, [runAt(3, { status: 'failed' }), runAt(9)])
    assert.deepEqual(
      changed.map(({ id, status }) => [id, status]),
      [
        ['run-0003', 'failed'],
        ['run-0002', 'succeeded'],
        ['run-0001', 'succeeded']
      ]
    )
    assert.equal(replaceRuns(rows, [runAt(9)]), rows)
  })
})
