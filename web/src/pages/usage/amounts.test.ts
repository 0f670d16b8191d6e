import assert from 'node:assert/strict'
import { it } from 'node:test'
import { costText, daysBefore, everyDay } from './amounts.ts'

it('a cost has as many digits as tell something', () => {
  assert.deepEqual([0, 0.0123, 1.5, 1234.5].map(costText), ['0.00', '0.0123', '1.50', '1,234.50'])
})

it('every day is there, over the end of a month too', () => {
  assert.deepEqual(everyDay('2026-02-27', '2026-03-02'), [
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
    '2026-03-02'
  ])
  assert.equal(daysBefore(Date.parse('2026-03-02T12:00:00Z'), 4), '2026-02-27')
})
