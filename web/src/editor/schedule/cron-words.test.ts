import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cronWords } from './cron-words.ts'

test('common expressions are told in words, others as they are', () => {
  const told: Readonly<Record<string, string>> = {
    '0 9 * * *': 'Daily at 9:00',
    '5 14 * * 1-5': 'Weekdays at 14:05',
    '0 8 * * 1': 'Mondays at 8:00',
    '0 20 * * 1,4': 'Mondays and Thursdays at 20:00',
    '0 11 * * 0,6': 'Weekends at 11:00',
    '*/15 * * * *': 'Every 15 minutes',
    '* * * * *': 'Every minute',
    '0 * * * *': 'Every hour',
    '30 * * * *': 'Every hour at :30',
    '0 */6 * * *': 'Every 6 hours',
    '0 6 1 * *': 'Monthly on day 1 at 6:00',
    '0 23 L * *': 'Last day of the month at 23:00',
    ' @daily ': 'Daily at 0:00'
  }
  for (const [cron, words] of Object.entries(told)) assert.equal(cronWords(cron), words, cron)
  for (const cron of ['*/10 * * * * *', '0 9 1 1 *', '0 9-17 * * 1-5', '0 9 1 * 1', 'x', '']) {
    assert.equal(cronWords(cron), cron)
  }
})
