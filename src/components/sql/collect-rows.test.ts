import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { distinctNames, RowCollector } from './collect-rows.ts'

const LIMITS = { maxRows: 10, output: { bytes: 1_000_000, setBy: 'test' } } as never

describe('the columns of an answer', () => {
  it('have a name each, and none takes that of another', () => {
    assert.deepEqual(distinctNames(['id', 'name', 'id', 'id']), ['id', 'name', 'id_2', 'id_3'])
    assert.deepEqual(distinctNames(['a', 'a', 'a_2', 'a']), ['a', 'a_3', 'a_2', 'a_4'])
    assert.deepEqual(distinctNames(['__proto__', '__proto__']), ['__proto__', '__proto___2'])
  })

  it('are bounded, whatever a server says', () => {
    const collector = new RowCollector(LIMITS)
    collector.columns = new Array(4_096).fill('a')
    assert.throws(
      () => {
        collector.columns = new Array(4_097).fill('a')
      },
      { code: 'sql_too_many_columns', message: /4097 columns/ }
    )
  })
})
