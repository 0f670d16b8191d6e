import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readDuration, writeDuration } from './duration.ts'

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

  it('are refused in words where they are not durations', () => {
    for (const text of ['', 'soon', '15', '15 minutes', '-1h', '3d!', '1e9d', '4000d']) {
      const read = readDuration(text)
      assert.ok(typeof read === 'object', text)
      assert.match(read.wrong, /Write /)
    }
  })

  it('are written as they are read', () => {
    const rows: [ms: number, text: string][] = [
      [1, '1s'],
      [30_000, '30s'],
      [5_400_000, '1h 30m'],
      [93_605_000, '1d 2h 5s']
    ]
    for (const [ms, text] of rows) assert.equal(writeDuration(ms), text)
    assert.equal(readDuration(writeDuration(93_605_000)), 93_605_000)
  })
})
