import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Rehearsal } from '../../../api/rehearsals.ts'
import { checkInWords } from './expectation-words.ts'
import { caseInWords, rehearsalInWords } from './rehearsal-words.ts'

const rehearsal: Rehearsal = {
  status: 'succeeded',
  runs: 100,
  same: 97,
  different: 2,
  failed: 1,
  unknown: 0,
  cases: [],
  asked: 100,
  revision: 3,
  author: null,
  started_at: '',
  finished_at: null
}

describe('a rehearsal in words', () => {
  it('tells how many come to what, and leaves out what none does', () => {
    assert.equal(rehearsalInWords(rehearsal), '100 runs: 97 the same, 2 differ, 1 now fails')
    assert.equal(
      rehearsalInWords({ ...rehearsal, different: 1, failed: 2, unknown: 4 }),
      '100 runs: 97 the same, 1 differs, 2 now fail, 4 unknown'
    )
    assert.equal(rehearsalInWords({ ...rehearsal, different: 0, failed: 0 }), '100 runs: 97 the same')
  })

  it('tells of a case what its node does', () => {
    const one = { run_id: 'r', node: 'parser-1', was: null, is: null, error: null }
    assert.equal(caseInWords({ ...one, verdict: 'different' }), 'gives something else')
    const error = { code: 'template_missing_key', message: 'There is no key "name".' }
    assert.equal(caseInWords({ ...one, verdict: 'failed', error }), 'fails: There is no key "name".')
  })
})

describe('what is expected, in words', () => {
  it('is counted by what comes of it', () => {
    const check = (met: number, failing: number, unknown: number) =>
      checkInWords({ met, failing, unknown, expectations: new Array(met + failing + unknown) })
    assert.equal(check(1, 0, 0), '1 expectation: 1 is met')
    assert.equal(check(2, 1, 3), '6 expectations: 2 are met, 1 is not, 3 cannot be known')
    assert.equal(check(0, 2, 0), '2 expectations: 2 are not')
  })
})
