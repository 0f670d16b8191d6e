/** A time zone, by the rules that the runtime knows. */
export interface Zone {
  readonly name: string
  /** How far its clocks are ahead of UTC at a moment, in milliseconds. */
  offsetAt(ms: number): number
}

export const UTC: Zone = { name: 'UTC', offsetAt: () => 0 }

/** The runtime takes long to find out that a long text names no zone. */
const LONGEST_NAME = 100

const OFFSET = /^([+-])(\d\d):?(\d\d)$/

/** An IANA name such as Europe/Berlin, UTC, or an offset such as +02:00; undefined for anything else. */
export function zoneNamed(name: string): Zone | undefined {
  if (name.length > LONGEST_NAME) return undefined
  const given = name.trim()
  if (/^(?:|z|utc|gmt)$/i.test(given)) return UTC
  const offset = offsetOf(given)
  if (offset !== undefined) return { name: given, offsetAt: () => offset }
  try {
    return zoneByRules(given)
  } catch {
    return undefined
  }
}

export const ZONE_HELP = 'Write a name such as Europe/Berlin, UTC, or an offset such as +02:00.'

/** In milliseconds; undefined for what is not an offset, such as +25:00. */
export function offsetOf(text: string): number | undefined {
  if (/^z$/i.test(text)) return 0
  const [, sign, hours, minutes] = OFFSET.exec(text) ?? []
  if (sign === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

/** How the runtime writes an offset: GMT, GMT+01:00, or with the seconds of times before there were zones. */
const WRITTEN = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/

function zoneByRules(name: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
  return {
    name: format.resolvedOptions().timeZone,
    offsetAt: (ms) => {
      const [, sign, hours = 0, minutes = 0, seconds = 0] = WRITTEN.exec(format.format(ms))!
      const offset = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
      return sign === '-' ? offset * -1000 : offset * 1000
    }
  }
}

/** What a calendar and a clock on the wall show. */
export interface WallTime {
  readonly year: number
  /** From 1. */
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly ms: number
}

/** A day, and the time on it: midnight where none is given. */
type WallDay = Pick<WallTime, 'year' | 'month' | 'day'> & Partial<WallTime>

/** As if the wall were in UTC. Members past their range count on: the 32nd of January is the 1st of February. */
export function utcOf({ year, month, day, hour = 0, minute = 0, second = 0, ms = 0 }: WallDay): number {
  // Date.UTC takes years below 100 for those of the last century.
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second, ms)
  return date.getTime()
}

export function wallTime(ms: number, zone: Zone): WallTime {
  const date = new Date(ms + zone.offsetAt(ms))
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    ms: date.getUTCMilliseconds()
  }
}

const DAY = 86_400_000

/**
 * The moment when clocks of the zone show this. Of an hour that they show twice, the first; an hour that they leave out is
 * as much later: 02:30 becomes 03:30.
 */
export function momentAt(wall: WallDay, zone: Zone): number {
  const utc = utcOf(wall)
  const before = utc - zone.offsetAt(utc - DAY)
  const after = utc - zone.offsetAt(utc + DAY)
  const fitting = [before, after].filter((ms) => ms + zone.offsetAt(ms) === utc)
  return fitting.length === 0 ? before : Math.min(...fitting)
}
