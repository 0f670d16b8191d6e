import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Cron } from 'croner'
import { cronFromWords } from './cron-from-words.ts'
import { cronWords } from './cron-words.ts'

test('what people write becomes an expression that says the same', () => {
  const meant: Readonly<Record<string, string>> = {
    'every weekday at 9': '0 9 * * 1-5',
    'Weekdays at 9:30am': '30 9 * * 1-5',
    'every day at noon': '0 12 * * *',
    'daily at 17:05': '5 17 * * *',
    daily: '0 0 * * *',
    'every 15 minutes': '*/15 * * * *',
    'every minute': '* * * * *',
    'every half hour': '*/30 * * * *',
    'every 6 hours': '0 */6 * * *',
    'every other hour': '0 */2 * * *',
    hourly: '0 * * * *',
    'hourly at :15': '15 * * * *',
    'every hour at 5': '5 * * * *',
    'on mondays and thursdays at 8 pm': '0 20 * * 1,4',
    'Tue, Wed and Fri at 7': '0 7 * * 2,3,5',
    'monday to friday at 6:45': '45 6 * * 1-5',
    'friday to sunday at 10': '0 10 * * 5-7',
    'weekends at 11': '0 11 * * 0,6',
    'every day at 8 and 20': '0 8,20 * * *',
    'monthly at 6': '0 6 1 * *',
    'the first day of the month at 6': '0 6 1 * *',
    '15th of every month at 12am': '0 0 15 * *',
    'last day of the month at 23:00': '0 23 L * *',
    'at 9': '0 9 * * *'
  }
  for (const [words, cron] of Object.entries(meant)) {
    assert.equal(cronFromWords(words), cron, words)
    assert.ok(new Cron(cron).nextRun() !== null, cron)
  }
})

test('what is not understood, and what cron cannot say, is left to whoever writes it', () => {
  const unclear = [
    '',
    ' ',
    'sometimes',
    'every 7 minutes',
    'every 0 minutes',
    'every 5 hours',
    'daily at 25',
    'daily at 13pm',
    'daily at 9:75',
    'daily at 9:15 and 10:30',
    '32nd of the month',
    'sunday to friday at 9 o',
    'friday to monday at 9',
    '0 9 * * 1-5',
    `every ${'monday '.repeat(20_000)}x`
  ]
  for (const words of unclear) assert.equal(cronFromWords(words), undefined, words.slice(0, 40))
})

test('what an expression is told as leads back to it', () => {
  for (const cron of [
    '0 9 * * *',
    '5 14 * * 1-5',
    '0 8 * * 1',
    '*/15 * * * *',
    '0 * * * *',
    '30 * * * *',
    '0 23 L * *'
  ]) {
    assert.equal(cronFromWords(cronWords(cron)), cron)
  }
})
