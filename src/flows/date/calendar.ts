import { momentAt, utcOf, type WallTime, wallTime, type Zone } from './zone.ts'

export const UNITS = [
  'years',
  'quarters',
  'months',
  'weeks',
  'days',
  'hours',
  'minutes',
  'seconds',
  'milliseconds'
] as const

export type Unit = (typeof UNITS)[number]

/** Units that take the same time everywhere. */
const SPANS: Readonly<Partial<Record<Unit, number>>> = {
  hours: 3_600_000,
  minutes: 60_000,
  seconds: 1000,
  milliseconds: 1
}

const DAY = 86_400_000

/** Years to days go by the calendar of the zone: the hour on the clock stays. A 31st becomes the last of a shorter month. */
export function addTo(ms: number, amount: number, unit: Unit, zone: Zone): number {
  const span = SPANS[unit]
  if (span !== undefined) return ms + amount * span
  const wall = wallTime(ms, zone)
  if (unit === 'days' || unit === 'weeks') {
    return momentAt({ ...wall, day: wall.day + amount * (unit === 'weeks' ? 7 : 1) }, zone)
  }
  return momentAt(addMonths(wall, amount * MONTHS[unit]!), zone)
}

const MONTHS: Readonly<Partial<Record<Unit, number>>> = { years: 12, quarters: 3, months: 1 }

function addMonths(wall: WallTime, amount: number): WallTime {
  const months = wall.year * 12 + wall.month - 1 + amount
  const [year, month] = [Math.floor(months / 12), (((months % 12) + 12) % 12) + 1]
  return { ...wall, year, month, day: Math.min(wall.day, daysIn(year, month)) }
}

export function daysIn(year: number, month: number): number {
  return new Date(utcOf({ year, month: month + 1, day: 0 })).getUTCDate()
}

/** Weeks begin on Monday, as in ISO 8601. */
export function startOf(ms: number, unit: Unit, zone: Zone): number {
  const wall = wallTime(ms, zone)
  const { year, month, day } = wall
  switch (unit) {
    case 'years':
      return momentAt({ year, month: 1, day: 1 }, zone)
    case 'quarters':
      return momentAt({ year, month: month - ((month - 1) % 3), day: 1 }, zone)
    case 'months':
      return momentAt({ year, month, day: 1 }, zone)
    case 'weeks':
      return momentAt({ year, month, day: day - (weekday(wall) - 1) }, zone)
    case 'days':
      return momentAt({ year, month, day }, zone)
    default:
      return ms - ((((ms + zone.offsetAt(ms)) % SPANS[unit]!) + SPANS[unit]!) % SPANS[unit]!)
  }
}

/** The last millisecond of it. */
export function endOf(ms: number, unit: Unit, zone: Zone): number {
  return addTo(startOf(ms, unit, zone), 1, unit, zone) - 1
}

/** From Monday, 1, to Sunday, 7. */
export function weekday(wall: WallTime): number {
  return ((new Date(utcOf(wall)).getUTCDay() + 6) % 7) + 1
}

/** Of ISO 8601: the first week is the one with the first Thursday. */
export function weekOf(wall: WallTime): number {
  const thursday = utcOf({ ...wall, day: wall.day + 4 - weekday(wall) })
  const first = utcOf({ year: new Date(thursday).getUTCFullYear(), month: 1, day: 1 })
  return Math.floor((thursday - first) / DAY / 7) + 1
}

/** From one moment to another: of the calendar as many whole ones as fit in between, below a day with fractions. */
export function difference(from: number, to: number, unit: Unit, zone: Zone): number {
  const span = SPANS[unit]
  if (span !== undefined) return (to - from) / span
  if (to < from) return -difference(to, from, unit, zone) || 0
  let count = Math.floor(roughly(from, to, unit, zone))
  while (addTo(from, count, unit, zone) > to) count--
  while (addTo(from, count + 1, unit, zone) <= to) count++
  return count
}

/** A day off at most, which the caller mends. */
function roughly(from: number, to: number, unit: Unit, zone: Zone): number {
  if (unit === 'days') return (to - from) / DAY
  if (unit === 'weeks') return (to - from) / DAY / 7
  const [one, other] = [wallTime(from, zone), wallTime(to, zone)]
  return (other.year * 12 + other.month - one.year * 12 - one.month) / MONTHS[unit]!
}
