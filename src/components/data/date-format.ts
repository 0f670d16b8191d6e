import { weekday, weekOf } from './calendar.ts'
import { type WallTime, wallTime, type Zone } from './zone.ts'

/** What a format is made of: `'text'` in quotes, letters that mean something, and all else as it is. */
const TOKENS =
  /'((?:[^']|'')*)'|(yyyy|YYYY|yy|YY|MMMM|MMM|MM|M|dd|DD|d|D|EEEE|EEE|E|HH|H|hh|h|mm|m|ss|s|SSS|a|A|ZZ|Z|Q|ww|w|X|x)|([A-Za-z]+)|([^A-Za-z']+|')/g

interface Token {
  readonly letters?: string
  readonly text?: string
}

/** Throws a RangeError that names letters that mean nothing. */
export function tokensOf(format: string): Token[] {
  return [...format.matchAll(TOKENS)].map(([, quoted, letters, unknown, text]): Token => {
    if (unknown !== undefined) throw new RangeError(`"${unknown}" means nothing in a date. ${FORMAT_HELP}`)
    if (letters !== undefined) return { letters: letters.replaceAll('Y', 'y').replaceAll('D', 'd') }
    return { text: quoted === '' ? "'" : (quoted?.replaceAll("''", "'") ?? text ?? '') }
  })
}

export const FORMAT_HELP =
  "Write yyyy, MM, dd, HH, mm, ss and others, such as dd.MM.yyyy HH:mm, and text in quotes: 'at'."

export function formatFault(format: string): string | undefined {
  try {
    tokensOf(format)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

export function formatDate(ms: number, format: string, zone: Zone, locale: string): string {
  const wall = wallTime(ms, zone)
  return tokensOf(format)
    .map(({ letters, text }) => text ?? PRINTED[letters!]!({ ms, wall, zone, locale }))
    .join('')
}

/** With its offset, and Z for UTC. It always has milliseconds, so that texts sort as the times do. */
export function isoDate(ms: number, zone: Zone): string {
  const text = new Date(ms + zone.offsetAt(ms)).toISOString().slice(0, -1)
  return `${text}${zone.name === 'UTC' ? 'Z' : offsetText(zone.offsetAt(ms), ':')}`
}

interface Shown {
  readonly ms: number
  readonly wall: WallTime
  readonly zone: Zone
  readonly locale: string
}

const two = (value: number) => String(value).padStart(2, '0')
const hour12 = ({ wall }: Shown) => wall.hour % 12 || 12
const half = ({ wall }: Shown) => (wall.hour < 12 ? 'AM' : 'PM')

/** What letters of a format print. */
const PRINTED: Readonly<Record<string, (shown: Shown) => string>> = {
  yyyy: ({ wall }) => String(wall.year).padStart(4, '0'),
  yy: ({ wall }) => two(wall.year % 100),
  MMMM: ({ wall, locale }) => monthNames(locale, 'long')[wall.month - 1]!,
  MMM: ({ wall, locale }) => monthNames(locale, 'short')[wall.month - 1]!,
  MM: ({ wall }) => two(wall.month),
  M: ({ wall }) => String(wall.month),
  dd: ({ wall }) => two(wall.day),
  d: ({ wall }) => String(wall.day),
  EEEE: ({ wall, locale }) => dayName(wall, locale, 'long'),
  EEE: ({ wall, locale }) => dayName(wall, locale, 'short'),
  E: ({ wall, locale }) => dayName(wall, locale, 'short'),
  HH: ({ wall }) => two(wall.hour),
  H: ({ wall }) => String(wall.hour),
  hh: (shown) => two(hour12(shown)),
  h: (shown) => String(hour12(shown)),
  mm: ({ wall }) => two(wall.minute),
  m: ({ wall }) => String(wall.minute),
  ss: ({ wall }) => two(wall.second),
  s: ({ wall }) => String(wall.second),
  SSS: ({ wall }) => String(wall.ms).padStart(3, '0'),
  a: half,
  A: half,
  ZZ: ({ ms, zone }) => offsetText(zone.offsetAt(ms), ''),
  Z: ({ ms, zone }) => offsetText(zone.offsetAt(ms), ':'),
  Q: ({ wall }) => String(Math.ceil(wall.month / 3)),
  ww: ({ wall }) => two(weekOf(wall)),
  w: ({ wall }) => String(weekOf(wall)),
  X: ({ ms }) => String(Math.floor(ms / 1000)),
  x: ({ ms }) => String(ms)
}

function offsetText(offset: number, between: string): string {
  const minutes = Math.abs(Math.trunc(offset / 60_000))
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${between}${two(minutes % 60)}`
}

export function monthNames(locale: string, month: 'short' | 'long'): string[] {
  const format = new Intl.DateTimeFormat(locale || 'en', { month, timeZone: 'UTC' })
  return Array.from({ length: 12 }, (_, at) => format.format(Date.UTC(2024, at, 15)))
}

function dayName(wall: WallTime, locale: string, style: 'short' | 'long'): string {
  const format = new Intl.DateTimeFormat(locale || 'en', { weekday: style, timeZone: 'UTC' })
  // The first of January 2024 was a Monday.
  return format.format(Date.UTC(2024, 0, weekday(wall)))
}
