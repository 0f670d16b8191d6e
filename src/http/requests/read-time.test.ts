import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readTime } from './read-time.ts'

describe('a time that a client wrote', () => {
  const READ: [text: string, iso: string][] = [
    ['2026', '2026-01-01T00:00:00.000Z'],
    ['2026-03', '2026-03-01T00:00:00.000Z'],
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2026-01-31T12:30Z', '2026-01-31T12:30:00.000Z'],
    ['2026-01-31T12:30:05.25Z', '2026-01-31T12:30:05.250Z'],
    ['2026-01-31T12:30:05.123456789Z', '2026-01-31T12:30:05.123Z'],
    ['2026-01-31T12:30:05', '2026-01-31T12:30:05.000Z'],
    ['2026-01-31 12:30:05', '2026-01-31T12:30:05.000Z'],
    ['2026-01-31t12:30:05z', '2026-01-31T12:30:05.000Z'],
    ['2026-01-31T12:30:05+02:00', '2026-01-31T10:30:05.000Z'],
    ['2026-01-31T12:30:05-0530', '2026-01-31T18:00:05.000Z'],
    ['2026-01-31T12:30:05 02:00', '2026-01-31T10:30:05.000Z'],
    [' 2026-01-31 ', '2026-01-31T00:00:00.000Z']
  ]
  for (const [text, iso] of READ) {
    it(`is read: ${JSON.stringify(text)}`, () => {
      assert.equal(new Date(readTime(text)!).toISOString(), iso)
    })
  }

  const NONE = [
    '',
    'soon',
    '1',
    '0',
    '-1',
    '1700000000',
    '1700000000000',
    '20260131',
    '2026-13-01',
    '2026-02-30',
    '2026-02-29',
    '2026-04-31T00:00:00Z',
    '2026-1-31',
    '2026-01-31T25:00:00Z',
    '2026-01-31T12Z',
    '2026-01T12:00Z',
    '2026-01-31T12:00:00+25:00',
    '2026-01-31T12:00:00 Z',
    '2026-01-31Z',
    'Jan 1 2030',
    '1/2/2030',
    '+275760-09-13T00:00:00Z'
  ]
  for (const text of NONE) {
    it(`is refused: ${JSON.stringify(text)}`, () => assert.equal(readTime(text), undefined))
  }

  it('is whatever Millrace itself writes', () => {
    const times = fc.date({
      min: new Date(0),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true
    })
    fc.assert(fc.property(times, (time) => assert.equal(readTime(time.toISOString()), time.getTime())))
  })

  it('is read or refused, and never thrown over', () => {
    const almost = fc.stringMatching(/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?[-+ Z]?(\d\d:\d\d)?$/)
    fc.assert(
      fc.property(fc.oneof(fc.string(), almost), (text) => {
        const ms = readTime(text)
        assert.ok(ms === undefined || Number.isInteger(ms))
      })
    )
  })
})
