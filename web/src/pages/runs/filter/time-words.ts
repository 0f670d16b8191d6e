/** What a field of date and time holds, in the time of this place; to the minute, as people type it. */
export function toFieldText(iso: string): string {
  const ms = Date.parse(iso)
  if (Number.isNaN(ms)) return ''
  const offset = new Date(ms).getTimezoneOffset() * 60_000
  return new Date(ms - offset).toISOString().slice(0, 16)
}

export function fromFieldText(text: string): string {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString()
}

const DAY = 86_400_000

/** "31 Jan, 10:00 – 11:30": the day is said once where both are of one. */
export function spanWords(since: string, until: string): string {
  if (since === '') return `Until ${momentWords(Date.parse(until))}`
  if (until === '') return `Since ${momentWords(Date.parse(since))}`
  const [from, to] = [Date.parse(since), Date.parse(until)]
  const isOneDay = dayWords(from) === dayWords(to)
  return `${momentWords(from, to - from)} – ${isOneDay ? clockWords(to, to - from) : momentWords(to, to - from)}`
}

/** One moment, as exactly as matters within a span of so many milliseconds. */
function momentWords(ms: number, span = DAY): string {
  return `${dayWords(ms)}, ${clockWords(ms, span)}`
}

// Made once: to make one takes longer than to write a hundred times with it.
const DAY_FORMAT = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const MINUTE_FORMAT = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const SECOND_FORMAT = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit'
})

export function dayWords(ms: number): string {
  return DAY_FORMAT.format(ms)
}

export function clockWords(ms: number, span = DAY): string {
  return (span < 10 * 60_000 ? SECOND_FORMAT : MINUTE_FORMAT).format(ms)
}
