const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s?(Z|[+-]\d\d:?\d\d)?)?$/i

export const TIME_HELP =
  'Write a time as in ISO 8601, such as 2027-01-31T09:00:00Z or 2027-01-31T09:00+01:00.'

/** Milliseconds since 1970, or undefined where it is not a time. One that names no zone is in UTC, wherever the service runs. */
export function readTime(text: string): number | undefined {
  const [, date, time = '00:00', zone = 'Z'] = TIME.exec(text.trim()) ?? []
  if (date === undefined) return undefined
  const ms = Date.parse(`${date}T${time}${zone.toUpperCase()}`)
  // The 30th of February is read as one of March.
  const isReal = new Date(`${date}T00:00Z`).toJSON()?.startsWith(date) === true
  return isReal && Number.isFinite(ms) ? ms : undefined
}
