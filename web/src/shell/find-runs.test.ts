import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RUN_STATUSES } from '../../../src/runs/present/run-status.ts'
import { runQuestions } from './find-runs.ts'

const flows = [
  { id: 'f-1', name: 'Orders of the shop' },
  { id: 'f-2', name: 'Failed payments' }
]

describe('a search for runs by words', () => {
  const rows: [search: string, questions: unknown[]][] = [
    ['', []],
    ['fa', []],
    ['fail', [{ status: 'failed' }, { flow_id: 'f-2' }]],
    ['In prog', [{ status: 'in progress' }]],
    ['0198c7', [{ q: '0198c7' }]],
    ['orders', [{ flow_id: 'f-1' }]],
    ['tidy', []]
  ]
  for (const [search, questions] of rows) {
    it(`asks ${questions.length} things for "${search}"`, () => {
      assert.deepEqual(runQuestions(search, flows), questions)
    })
  }

  it('asks for every status that a run can have', () => {
    for (const status of RUN_STATUSES) assert.deepEqual(runQuestions(status, []), [{ status }])
  })
})
