import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readDuration } from './duration.ts'
import { readTime } from './iso-time.ts'

describe('lengths of time', () => {
  it('are a number and a unit, or several', () => {
    const rows: [text: string, ms: number][] = [
      ['30s', 30_000],
      ['15m', 900_000],
      ['2h', 7_200_000],
      ['3d', 259_200_000],
      [' 1h 30m ', 5_400_000],
      ['1.5h', 5_400_000],
      ['0s', 0]
    ]
    for (const [text, ms] of rows) assert.equal(readDuration(text), ms, text)
  })

  it('are refused in words where they are none', () => {
    for (const text of ['', 'soon', '15', '15 minutes', '-1h', '3d!', '1e9d', '4000d']) {
      const read = readDuration(text)
      assert.ok(typeof read === 'object', text)
      assert.match(read.wrong, /Write /)
    }
  })
})

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

  it('are none where they are not', () => {
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
