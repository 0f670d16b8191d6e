/**
 * Times as clients write them, by ISO 8601: a year, a month, a day, or a day and a time of day. What names no zone
 * is UTC, as all times are that Millrace answers. Not Date.parse alone, which takes the 30th of February for the
 * 2nd of March, "1" for a day in 2001 and what has no zone for the time of this machine.
 *
 * A plus that was not encoded in a query arrives as a space, so a space before an offset is one.
 */
const ISO_8601 =
  /^(?<day>\d{4}(?:-\d\d(?:-\d\d)?)?)(?:(?<=-\d\d-\d\d)[Tt ](?<time>\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?<zone>[Zz]|[-+ ]\d\d:?\d\d)?)?$/

/** Milliseconds since 1970, or undefined for what is not a time. */
export function readTime(text: string): number | undefined {
  const { day, time = '00:00', zone = 'Z' } = ISO_8601.exec(text.trim())?.groups ?? {}
  if (day === undefined || !isInCalendar(day)) return undefined
  const ms = Date.parse(`${wholeDay(day)}T${time}${isoZone(zone)}`)
  return Number.isNaN(ms) ? undefined : ms
}

function isInCalendar(day: string): boolean {
  const ms = Date.parse(day)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)
}

function wholeDay(day: string): string {
  return day + '2026-01-01'.slice(day.length)
}

function isoZone(zone: string): string {
  return zone
    .toUpperCase()
    .replace(' ', '+')
    .replace(/^(...)(\d\d)$/, '$1:$2')
}
