import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextTimes } from './next-times.ts'

const from = Date.parse('2026-03-27T12:00:00Z')
const told = (cron: string, zone: string) =>
  nextTimes(cron, zone, from, 3).map((at) => new Date(at).toISOString().slice(0, 16))

test('the next times are those of the zone, through summer time', () => {
  assert.deepEqual(told('0 9 * * *', 'Europe/Berlin'), [
    '2026-03-28T08:00',
    '2026-03-29T07:00',
    '2026-03-30T07:00'
  ])
  assert.deepEqual(told('0 9 * * *', ''), ['2026-03-28T09:00', '2026-03-29T09:00', '2026-03-30T09:00'])
})

test('there are none where something is not sound', () => {
  for (const [cron, zone] of [
    ['0 9 * *', 'UTC'],
    ['0 9 * * *', 'Nowhere'],
    ['60 * * * *', 'UTC'],
    ['0 0 30 2 *', 'UTC'],
    ['{$cron}', 'UTC'],
    ['', 'UTC']
  ] as const) {
    assert.deepEqual(nextTimes(cron, zone, from, 3), [], cron)
  }
})
