import { readDuration } from '../../plugin-api.ts'
import { assertCron, assertZone, CronError, type Timetable, timetableOf } from './cron.ts'

/** When something comes that is told as a length of time, or as a cron. */
interface Every extends Timetable {
  /** Whether the hour matters, and not only the time in between. */
  readonly isCron: boolean
}

const SHORTEST_MS = 1_000

/** Throws a CronError where it is neither, or there is no such zone. */
export function everyOf(every: string, timezone: string, now: number): Every {
  const ms = readDuration(every)
  if (typeof ms !== 'number') {
    // A length of time that is too long has no fields either.
    if (every.trim().split(/\s+/).length < 5 && !every.trim().startsWith('@')) throw neither(ms.wrong)
    assertZone(timezone)
    assertCron(every, timezone, now)
    return { isCron: true, next: timetableOf(every, timezone).next }
  }
  if (ms < SHORTEST_MS) throw neither('Less than a second is too often.')
  return { isCron: false, next: (after) => after + ms }
}

function neither(wrong: string): CronError {
  return new CronError('invalid_every', `${wrong} Or write a cron expression, such as 0 9 * * 1-5.`)
}
