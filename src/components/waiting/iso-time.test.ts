import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readTime } from './iso-time.ts'

describe('times', () => {
  it('are read as ISO 8601, in UTC where no zone is named', () => {
    const nine = Date.UTC(2027, 0, 31, 9)
    for (const text of [
      '2027-01-31T09:00:00Z',
      '2027-01-31T10:00+01:00',
      '2027-01-31 09:00',
      '2027-01-31T04:00:00.000-0500'
    ])
      assert.equal(readTime(text), nine, text)
    assert.equal(readTime('2027-01-31'), Date.UTC(2027, 0, 31))
  })

  it('are refused where they are not times', () => {
    for (const text of [
      '',
      'tomorrow',
      '2027-02-30T09:00Z',
      '2027-13-01',
      '31.01.2027',
      '1800000000',
      '2027-01-31T25:00Z'
    ])
      assert.equal(readTime(text), undefined, text)
  })
})
