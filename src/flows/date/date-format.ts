import { weekday, weekOf } from './calendar.ts'
import { type WallTime, wallTime, type Zone } from './zone.ts'

/** What a format is made of: `'text'` in quotes, letters that mean something, and all else as it is. */
const TOKENS =
  /'((?:[^']|'')*)'|(yyyy|YYYY|yy|YY|MMMM|MMM|MM|M|dd|DD|d|D|EEEE|EEE|E|HH|H|hh|h|mm|m|ss|s|SSS|a|A|ZZ|Z|Q|ww|w|X|x)|([A-Za-z]+)|([^A-Za-z']+|')/g

interface Token {
  readonly letters?: string
  readonly text?: string
}

/** Nobody writes a date in more, and each letter is printed for each row. */
const LONGEST_FORMAT = 500

/** Throws a RangeError that says what is wrong, such as letters that mean nothing. */
export function tokensOf(format: string): Token[] {
  if (format.length > LONGEST_FORMAT)
    throw new RangeError(`It has ${format.length} characters. A format has ${LONGEST_FORMAT} at most.`)
  return [...format.matchAll(TOKENS)].map(([, quoted, letters, unknown, text]): Token => {
    if (unknown !== undefined) throw new RangeError(`"${unknown}" means nothing in a date. ${FORMAT_HELP}`)
    if (letters !== undefined) return { letters: letters.replaceAll('Y', 'y').replaceAll('D', 'd') }
    return { text: quoted === '' ? "'" : (quoted?.replaceAll("''", "'") ?? text ?? '') }
  })
}

const FORMAT_HELP =
  "Write yyyy, MM, dd, HH, mm, ss and others, such as dd.MM.yyyy HH:mm, and text in quotes: 'at'."

export function formatFault(format: string): string | undefined {
  try {
    tokensOf(format)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** How dates are written by a format; it is read once for all. */
export function dateFormat(format: string, zone: Zone, locale: string): (ms: number) => string {
  const tokens = tokensOf(format)
  const names = namesOf(locale)
  return (ms) => {
    const shown = { ms, wall: wallTime(ms, zone), zone, names }
    return tokens.map(({ letters, text }) => text ?? PRINTED[letters!]!(shown)).join('')
  }
}

/** With its offset, and Z for UTC. It always has milliseconds, so that texts sort as the times do. */
export function isoDate(ms: number, zone: Zone): string {
  const offset = zone.offsetAt(ms)
  const text = new Date(ms + offset).toISOString().slice(0, -1)
  return `${text}${zone.name === 'UTC' ? 'Z' : offsetText(offset, ':')}`
}

interface Shown {
  readonly ms: number
  readonly wall: WallTime
  readonly zone: Zone
  readonly names: Names
}

const two = (value: number) => String(value).padStart(2, '0')
const hour12 = ({ wall }: Shown) => wall.hour % 12 || 12
const half = ({ wall }: Shown) => (wall.hour < 12 ? 'AM' : 'PM')

/** What letters of a format print. */
const PRINTED: Readonly<Record<string, (shown: Shown) => string>> = {
  yyyy: ({ wall }) => String(wall.year).padStart(4, '0'),
  yy: ({ wall }) => two(wall.year % 100),
  MMMM: ({ wall, names }) => names.months('long')[wall.month - 1]!,
  MMM: ({ wall, names }) => names.months('short')[wall.month - 1]!,
  MM: ({ wall }) => two(wall.month),
  M: ({ wall }) => String(wall.month),
  dd: ({ wall }) => two(wall.day),
  d: ({ wall }) => String(wall.day),
  EEEE: ({ wall, names }) => names.days('long')[weekday(wall) - 1]!,
  EEE: ({ wall, names }) => names.days('short')[weekday(wall) - 1]!,
  E: ({ wall, names }) => names.days('short')[weekday(wall) - 1]!,
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

type Style = 'short' | 'long'

/** Of months and of days, from Monday, in a language. */
interface Names {
  months(style: Style): readonly string[]
  days(style: Style): readonly string[]
}

/** Asked for when they are first needed, and once: to ask takes a hundred times as long as to print one. */
export function namesOf(locale: string): Names {
  const known = new Map<string, readonly string[]>()
  const once = (key: string, make: () => readonly string[]) => {
    const names = known.get(key) ?? make()
    known.set(key, names)
    return names
  }
  return {
    months: (month) =>
      once(`months ${month}`, () => namesBy(locale, { month }, 12, (at) => Date.UTC(2024, at, 15))),
    // The first of January 2024 was a Monday.
    days: (weekday) =>
      once(`days ${weekday}`, () => namesBy(locale, { weekday }, 7, (at) => Date.UTC(2024, 0, 1 + at)))
  }
}

function namesBy(
  locale: string,
  part: Intl.DateTimeFormatOptions,
  length: number,
  dayAt: (at: number) => number
): string[] {
  const format = new Intl.DateTimeFormat(locale || 'en', { ...part, timeZone: 'UTC' })
  return Array.from({ length }, (_, at) => format.format(dayAt(at)))
}
