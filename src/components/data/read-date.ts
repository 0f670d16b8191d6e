import { ExactNumber, type JsonValue, momentAt, type WallTime, type Zone } from '../../plugin-api.ts'
import { dateReader, isReal, momentAtOffset, type ReadDate } from './date-parse.ts'

export interface DateRules {
  /** Reads what is written by a format; undefined: as in ISO 8601, in a mail, or as seconds or milliseconds since 1970. */
  readonly read: ReadDate | undefined
  /** Where it names no zone itself. */
  readonly zone: Zone
}

/** By a format, which may be empty. */
export function dateRules(format: string, zone: Zone, locale: string): DateRules {
  const written = format.trim()
  return { zone, read: written === '' ? undefined : dateReader(written, zone, locale) }
}

const ISO =
  /^([+-]\d{6}|\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i
/** The year comes first, so that nobody can take the month for the day. */
const YEAR_FIRST = /^(\d{4})([/.])(\d{1,2})\2(\d{1,2})(?=$|[T ])/
const MAIL = /^(?:[A-Za-z]{3},\s*)?(\d{1,2} [A-Za-z]{3} \d{4} \d\d:\d\d(?::\d\d)?) (GMT|UTC?|[+-]\d{4})$/
const EPOCH = /^-?\d{1,17}(?:\.\d+)?$/

/** A longer text is not a date, and is not looked at. */
const LONGEST = 1_000

/** Below it, a number counts seconds: a hundred milliard of them come to the year 5138, milliseconds to 1973. */
const SECONDS_BELOW = 1e11

export const DATE_HELP =
  'Write it as in ISO 8601, such as 2027-01-31T09:00:00Z, or say in Input format how it is written.'

/** Milliseconds since 1970; undefined where it is not a date. */
export function readDate(value: JsonValue | undefined, rules: DateRules): number | undefined {
  const ms = read(value, rules)
  // Dates of JavaScript end 270,000 years from now.
  return ms === undefined || Number.isNaN(new Date(ms).getTime()) ? undefined : ms
}

function read(value: JsonValue | undefined, rules: DateRules): number | undefined {
  if (typeof value === 'number' || value instanceof ExactNumber) {
    return rules.read === undefined ? ofEpoch(Number(value)) : rules.read(String(value))
  }
  if (typeof value !== 'string') return undefined
  if (rules.read !== undefined) return rules.read(value)
  if (value.length > LONGEST) return undefined
  const text = value.trim()
  if (EPOCH.test(text)) return ofEpoch(Number(text))
  return ofIso(text.replace(YEAR_FIRST, withDashes), rules.zone) ?? ofMail(text)
}

function withDashes(_: string, year: string, __: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

function ofEpoch(number: number): number {
  return Math.round(Math.abs(number) < SECONDS_BELOW ? number * 1000 : number)
}

function ofIso(text: string, zone: Zone): number | undefined {
  const [matched, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', offset] =
    ISO.exec(text) ?? []
  if (matched === undefined) return undefined
  const wall: WallTime = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    ms: Number(fraction.padEnd(3, '0').slice(0, 3))
  }
  if (!isReal(wall)) return undefined
  if (offset === undefined) return momentAt(wall, zone)
  return momentAtOffset(wall, offset.length === 3 ? `${offset}:00` : offset)
}

/** As in a header of HTTP or of a mail: Tue, 17 Nov 2026 09:00:00 GMT. */
function ofMail(text: string): number | undefined {
  const [, date, zone] = MAIL.exec(text) ?? []
  if (date === undefined || zone === undefined) return undefined
  const time = date.split(':').length === 3 ? 'HH:mm:ss' : 'HH:mm'
  const offset = /^[+-]/.test(zone) ? zone : 'Z'
  return mailReader(time)(`${date} ${offset}`)
}

const mailReaders = new Map<string, ReadDate>()

function mailReader(time: string): ReadDate {
  const UTC: Zone = { name: 'UTC', offsetAt: () => 0 }
  const reader = mailReaders.get(time) ?? dateReader(`d MMM yyyy ${time} Z`, UTC, 'en')
  mailReaders.set(time, reader)
  return reader
}
