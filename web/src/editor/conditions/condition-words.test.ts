import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { conditionWords } from './condition-words.ts'

describe('a condition in a line', () => {
  it('is read as it is compared', () => {
    const compared = { left: '{total}', operator: 'is at least', right: '100' }
    assert.equal(conditionWords(compared), '{total} is at least 100')
    assert.equal(conditionWords({ left: '{state}', right: 'paid' }), '{state} equals paid')
    assert.equal(conditionWords({ left: '{state}' }), '{state} equals “”')
    assert.equal(conditionWords({ ...compared, operator: 'is empty' }), '{total} is empty')
  })

  it('is the expression where there is one, and says where there is none yet', () => {
    assert.equal(conditionWords({ mode: 'Expression', expression: 'data.total > 1' }), 'data.total > 1')
    for (const fields of [{}, { mode: 'Expression' }, { right: '1' }])
      assert.equal(conditionWords(fields), 'No condition yet')
  })
})
