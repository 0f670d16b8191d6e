import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import fc from 'fast-check'
import { timetableOf } from '../../components/schedule/cron.ts'
import { type DueQuestion, dueTicks, LATE_AFTER_MS, type Times } from './due-ticks.ts'

const at = (text: string) => Date.parse(text)
const HOUR = 3_600_000

function due(times: Times, question: Partial<DueQuestion> & Pick<DueQuestion, 'after' | 'now'>) {
  const { ticks, next } = dueTicks(times, {
    watchedSince: Number.NEGATIVE_INFINITY,
    runsMissed: true,
    ...question
  })
  const shown = ticks.map((tick) => `${new Date(tick.at).toISOString()}${tick.isLate ? ' late' : ''}`)
  return { ticks: shown, next: next === undefined ? undefined : new Date(next).toISOString() }
}

describe('the times that are due', () => {
  const minutely = timetableOf('* * * * *', 'UTC')

  it('are those since the last one', () => {
    const now = at('2026-01-01T12:02:00.5Z')
    assert.deepEqual(due(minutely, { after: at('2026-01-01T12:01:00Z'), now }), {
      ticks: ['2026-01-01T12:02:00.000Z'],
      next: '2026-01-01T12:03:00.000Z'
    })
    assert.deepEqual(due(minutely, { after: at('2026-01-01T12:02:00Z'), now }).ticks, [])
  })

  it('are one, late, where many were missed, and the first after that is on time', () => {
    const now = at('2026-01-08T12:00:30Z')
    const question = { after: at('2026-01-01T12:00:00Z'), now, watchedSince: now - 1 }
    assert.deepEqual(due(minutely, question), {
      ticks: ['2026-01-08T12:00:00.000Z late'],
      next: '2026-01-08T12:01:00.000Z'
    })
    assert.deepEqual(due(minutely, { ...question, runsMissed: false }), {
      ticks: [],
      next: '2026-01-08T12:01:00.000Z'
    })
  })

  it('are each of the last minute where the service only was busy', () => {
    const secondly = timetableOf('* * * * * *', 'UTC')
    const now = at('2026-01-01T12:00:03.2Z')
    assert.deepEqual(due(secondly, { after: at('2026-01-01T12:00:00Z'), now }).ticks, [
      '2026-01-01T12:00:01.000Z',
      '2026-01-01T12:00:02.000Z',
      '2026-01-01T12:00:03.000Z'
    ])
  })

  it('are each of the last minute where nobody watched for less than that', () => {
    const secondly = timetableOf('* * * * * *', 'UTC')
    const now = at('2026-01-01T12:00:09.2Z')
    for (const runsMissed of [true, false]) {
      const question = { now, watchedSince: now - 1, runsMissed }
      const { ticks } = due(secondly, { ...question, after: at('2026-01-01T12:00:00Z') })
      assert.deepEqual(
        [ticks.length, ticks[0], ticks.at(-1)],
        [9, '2026-01-01T12:00:01.000Z', '2026-01-01T12:00:09.000Z']
      )
      const all = due(secondly, { ...question, after: at('2026-01-01T11:59:08Z') })
      assert.equal(all.ticks.length, runsMissed ? 1 : 0, 'of a longer time only the last one runs')
    }
  })

  it('are late where the clock was put forward', () => {
    const hourly = timetableOf('0 * * * *', 'UTC')
    const now = at('2026-01-01T15:30:00Z')
    assert.deepEqual(due(hourly, { after: at('2026-01-01T12:00:00Z'), now }).ticks, [
      '2026-01-01T15:00:00.000Z late'
    ])
  })

  it('do not come after a clock was put back, until it has caught up', () => {
    const now = at('2026-01-01T11:00:00Z')
    assert.deepEqual(due(minutely, { after: at('2026-01-01T12:00:00Z'), now }), {
      ticks: [],
      next: '2026-01-01T12:01:00.000Z'
    })
  })

  it('end where no time comes any more', () => {
    const once = timetableOf('0 0 0 1 1 * 2027', 'UTC')
    assert.deepEqual(due(once, { after: at('2026-12-31T00:00:00Z'), now: at('2027-01-01T00:00:00Z') }), {
      ticks: ['2027-01-01T00:00:00.000Z'],
      next: undefined
    })
  })
})

describe('summer time', () => {
  const berlin = (cron: string) => timetableOf(cron, 'Europe/Berlin')
  const through = (times: Times, from: string, to: string) => {
    const found: string[] = []
    for (let next = times.next(at(from)); next !== undefined && next < at(to); next = times.next(next))
      found.push(new Date(next).toISOString())
    return found
  }

  it('moves 02:30, which there is not on that day, to 03:00', () => {
    assert.deepEqual(through(berlin('30 2 * * *'), '2026-03-28T12:00:00Z', '2026-03-31T00:00:00Z'), [
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:30:00.000Z'
    ])
  })

  it('that ends runs 02:30 once, and every hour twice', () => {
    const [from, to] = ['2026-10-24T22:30:00Z', '2026-10-25T03:30:00Z']
    assert.deepEqual(through(berlin('30 2 * * *'), from, to), ['2026-10-25T00:30:00.000Z'])
    assert.equal(through(berlin('0 * * * *'), from, to).length, 5)
  })
})

test('the last of the times that were missed is the last of all that there were', () => {
  const crons = ['* * * * *', '*/7 2-3 * * *', '30 2 * * *', '0 0 L * *', '15 10 * * 1-5', '59 23 31 12 *']
  const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe']
  const start = at('2026-03-27T00:00:00Z')
  fc.assert(
    fc.property(
      fc.constantFrom(...crons),
      fc.constantFrom(...zones),
      fc.integer({ min: 0, max: 300 * 24 * 60 }),
      fc.integer({ min: 0, max: 6 * 60 }),
      (cron, zone, minutes, away) => {
        const times = timetableOf(cron, zone)
        const after = start + minutes * 60_000
        const now = after + away * 60_000 + 500
        const all: number[] = []
        for (let next = times.next(after); next !== undefined && next <= now; next = times.next(next))
          all.push(next)
        const found = dueTicks(times, { after, now, watchedSince: now, runsMissed: true })
        const isShort = all.length > 0 && all[0]! >= now - LATE_AFTER_MS
        assert.deepEqual(
          found.ticks.map((tick) => tick.at),
          isShort ? all : all.slice(-1)
        )
        assert.ok(found.ticks.every(({ isLate }) => isLate === !isShort))
        assert.equal(found.next, times.next(all.at(-1) ?? after))
        const watched = dueTicks(times, { after, now, watchedSince: 0, runsMissed: false })
        assert.deepEqual(
          watched.ticks.map((tick) => tick.at),
          all.filter((each) => each >= now - LATE_AFTER_MS)
        )
      }
    ),
    { numRuns: 40 }
  )
})

test('a month of every second is looked through at once', () => {
  let asked = 0
  const times: Times = {
    next: (after) => {
      asked += 1
      return Math.floor(after / 1000) * 1000 + 1000
    }
  }
  const now = at('2026-01-31T00:00:00Z')
  const { ticks } = dueTicks(times, { after: now - 720 * HOUR, now, watchedSince: now, runsMissed: true })
  assert.deepEqual(ticks, [
    { at: now - 1000, isLate: true },
    { at: now, isLate: false }
  ])
  assert.ok(asked < 100, String(asked))
})
