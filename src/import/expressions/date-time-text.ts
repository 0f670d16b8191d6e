/** Luxon's DateTime as far as expressions of n8n go, in UTC. */
export const DATE_TIME = `const $ms = { week: 604800000, day: 86400000, hour: 3600000, minute: 60000, second: 1000, millisecond: 1 }
const $months = { year: 12, quarter: 3, month: 1 }
const $unit = (name) => String(name).toLowerCase().replace(/s$/, '')
const $inUtc = (ms, options) => new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...options }).format(ms)
const $moved = (ms, by, sign) => {
  const date = new Date(ms), day = date.getUTCDate()
  let months = 0, rest = 0
  for (const [name, n] of Object.entries(by)) {
    const unit = $unit(name)
    if (unit in $months) months += Number(n) * $months[unit]
    else rest += Number(n) * $ms[unit]
  }
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months * sign)
  date.setUTCDate(Math.min(day, new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()))
  return +date + rest * sign
}
const $begun = (ms, name) => {
  const unit = $unit(name), date = new Date(ms), month = date.getUTCMonth()
  if (unit === 'week') return Math.floor(ms / $ms.day) * $ms.day - ((date.getUTCDay() || 7) - 1) * $ms.day
  if (unit in $ms) return Math.floor(ms / $ms[unit]) * $ms[unit]
  return Date.UTC(date.getUTCFullYear(), unit === 'year' ? 0 : unit === 'quarter' ? month - (month % 3) : month, 1)
}
const $between = (to, from, unit) => {
  if (unit in $ms) return (to - from) / $ms[unit]
  let whole = 0
  const sign = to < from ? -1 : 1
  while (sign * $moved(from, { [unit]: whole + sign }, 1) <= sign * to) whole += sign
  const at = $moved(from, { [unit]: whole }, 1), next = $moved(from, { [unit]: whole + sign }, 1)
  return whole + (sign * (to - at)) / (next - at)
}
const $week = (ms) => {
  const thursday = $begun(ms, 'week') + 3 * $ms.day, year = new Date(thursday).getUTCFullYear()
  return { year, number: 1 + Math.floor((thursday - Date.UTC(year, 0, 1)) / (7 * $ms.day)) }
}
const $pieces = /'((?:[^']|'')*)'|y{4}|yy?|L{1,4}|M{1,4}|dd?|c{3,4}|c|E{3,4}|E|HH?|hh?|mm?|ss?|SSS|S|a|o{3}|o|q|WW?|ZZZ|ZZ?|z|T{1,2}|t{1,2}|D{1,4}|X|x/g
const $written = (t, format) => String(format).replace($pieces, (piece, literal) => {
  if (literal !== undefined) return literal.replaceAll("''", "'")
  const two = (n) => String(n).padStart(2, '0'), hour = t.hour % 12 || 12
  const known = {
    yyyy: String(t.year).padStart(4, '0'), yy: two(t.year % 100), y: t.year, M: t.month, MM: two(t.month), MMM: t.monthShort, MMMM: t.monthLong, d: t.day, dd: two(t.day),
    c: t.weekday, ccc: t.weekdayShort, cccc: t.weekdayLong, H: t.hour, HH: two(t.hour), h: hour, hh: two(hour), m: t.minute, mm: two(t.minute), s: t.second, ss: two(t.second),
    S: t.millisecond, SSS: String(t.millisecond).padStart(3, '0'), a: t.hour < 12 ? 'AM' : 'PM', o: t.ordinal, ooo: String(t.ordinal).padStart(3, '0'), q: t.quarter, W: t.weekNumber, WW: two(t.weekNumber),
    Z: '+0', ZZ: '+00:00', ZZZ: '+0000', z: 'UTC', X: Math.floor(t.ts / 1000), x: t.ts, T: two(t.hour) + ':' + two(t.minute), TT: [t.hour, t.minute, t.second].map(two).join(':'),
    D: [t.month, t.day, t.year].join('/'), DD: t.monthShort + ' ' + t.day + ', ' + t.year, DDD: t.monthLong + ' ' + t.day + ', ' + t.year, DDDD: t.weekdayLong + ', ' + t.monthLong + ' ' + t.day + ', ' + t.year
  }
  const short = hour + ':' + two(t.minute)
  return known[piece.replace(/L/g, 'M').replace(/E/g, 'c')] ?? (piece === 't' ? short : short + ':' + two(t.second)) + ' ' + known.a
})
const $parsed = (text, format) => {
  const names = []
  const source = String(format).replace(/[\\\\^$.*+?()[\\]{}|]/g, '\\\\$&').replace($pieces, (piece, literal) => {
    if (literal !== undefined) return literal
    names.push(piece.replace(/L/g, 'M'))
    return /^(?:[LM]{3,4}|a|c+|E+)$/.test(piece) ? '([a-zA-Z]+)' : piece === 'yyyy' ? '(\\\\d{4})' : /^(..)$/.test(piece) ? '(\\\\d{2})' : '(\\\\d{1,3})'
  })
  const found = new RegExp('^' + source + '$', 'i').exec(String(text).trim())
  if (found === null) return NaN
  const parts = { y: 1970, M: 1, d: 1, H: 0, m: 0, s: 0, S: 0 }
  names.forEach((name, at) => {
    const value = found[at + 1]
    if (/^M{3,4}$/.test(name)) parts.M = 1 + 'janfebmaraprmayjunjulaugsepoctnovdec'.indexOf(value.slice(0, 3).toLowerCase()) / 3
    else if (name === 'a') parts.a = value.toLowerCase()
    else parts[name[0] === 'h' ? 'H' : name[0]] = name === 'yy' ? 2000 + Number(value) : Number(value)
  })
  if (parts.a !== undefined) parts.H = (parts.H % 12) + (parts.a === 'pm' ? 12 : 0)
  return Date.UTC(parts.y, parts.M - 1, parts.d, parts.H, parts.m, parts.s, parts.S)
}
const $instant = (text) => Date.parse(/^\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?$/.test(text) ? text.replace(' ', 'T') + 'Z' : text)
const DateTime = {
  now: () => DateTime.at(Date.now()), fromISO: (text) => DateTime.at($instant(text)), fromSQL: (text) => DateTime.at($instant(text)), fromJSDate: (date) => DateTime.at(+date),
  local: (...parts) => DateTime.at(parts.length === 0 ? Date.now() : Date.UTC(parts[0], (parts[1] ?? 1) - 1, ...parts.slice(2))), utc: (...parts) => DateTime.local(...parts),
  fromMillis: (ms) => DateTime.at(Number(ms)), fromSeconds: (s) => DateTime.at(s * 1000), fromFormat: (text, format) => DateTime.at($parsed(text, format)), fromObject: (parts) => DateTime.at(Date.UTC(new Date().getUTCFullYear(), 0, 1)).set(parts),
  DATE_SHORT: {}, DATE_MED: { year: 'numeric', month: 'short', day: 'numeric' }, DATE_FULL: { year: 'numeric', month: 'long', day: 'numeric' }, TIME_SIMPLE: { hour: 'numeric', minute: '2-digit' },
  DATETIME_SHORT: { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: '2-digit' }, DATETIME_MED: { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
  at: (ms) => {
    const date = new Date(ms), iso = () => (Number.isNaN(ms) ? null : date.toISOString()), month = date.getUTCMonth() + 1
    const by = (amount, unit) => (typeof amount === 'object' ? amount : { [unit ?? 'milliseconds']: amount })
    const self = {
      ts: ms, isValid: !Number.isNaN(ms), zoneName: 'UTC', year: date.getUTCFullYear(), month, day: date.getUTCDate(), hour: date.getUTCHours(), minute: date.getUTCMinutes(), second: date.getUTCSeconds(), millisecond: date.getUTCMilliseconds(),
      weekday: date.getUTCDay() || 7, quarter: Math.ceil(month / 3), ordinal: 1 + Math.floor((ms - $begun(ms, 'year')) / $ms.day), daysInMonth: new Date(Date.UTC(date.getUTCFullYear(), month, 0)).getUTCDate(),
      get weekNumber() { return $week(ms).number }, get weekYear() { return $week(ms).year }, get weekdayLong() { return $inUtc(ms, { weekday: 'long' }) }, get weekdayShort() { return $inUtc(ms, { weekday: 'short' }) },
      get monthLong() { return $inUtc(ms, { month: 'long' }) }, get monthShort() { return $inUtc(ms, { month: 'short' }) }, get isWeekend() { return self.weekday > 5 },
      plus: (amount, unit) => DateTime.at($moved(ms, by(amount, unit), 1)), minus: (amount, unit) => DateTime.at($moved(ms, by(amount, unit), -1)),
      set: (parts) => { const all = { ...self, ...Object.fromEntries(Object.entries(parts).map(([name, value]) => [$unit(name), Number(value)])) }; const days = new Date(Date.UTC(all.year, all.month, 0)).getUTCDate(); return DateTime.at(Date.UTC(all.year, all.month - 1, Math.min(all.day, days), all.hour, all.minute, all.second, all.millisecond)) },
      startOf: (unit) => DateTime.at($begun(ms, unit)), beginningOf: (unit = 'week') => DateTime.at($begun(ms, unit)), endOf: (unit) => DateTime.at($moved($begun(ms, unit), { [unit]: 1 }, 1) - 1), endOfMonth: () => self.endOf('month'),
      diff: (other, units = 'milliseconds') => {
        const values = {}, names = [units].flat()
        let from = +new Date(other)
        names.forEach((name, at) => { const unit = $unit(name), n = $between(ms, from, unit); values[unit + 's'] = at < names.length - 1 ? Math.trunc(n) : n; if (at < names.length - 1) from = $moved(from, { [unit]: Math.trunc(n) }, 1) })
        return { ...values, as: (unit) => $between(ms, +new Date(other), $unit(unit)), toObject: () => values, toMillis: () => ms - +new Date(other), valueOf: () => ms - +new Date(other) }
      },
      diffNow: (units) => self.diff(Date.now(), units), hasSame: (other, unit) => $begun(ms, unit) === $begun(+new Date(other), unit), equals: (other) => ms === +new Date(other), isBetween: (a, b) => ms > Math.min(+new Date(a), +new Date(b)) && ms < Math.max(+new Date(a), +new Date(b)),
      toRelative: () => { const gap = ms - Date.now(), unit = ['year', 'month', 'week', 'day', 'hour', 'minute'].find((name) => Math.abs($between(ms, Date.now(), name)) >= 1 && name !== 'week') ?? 'second'; return new Intl.RelativeTimeFormat('en-US').format(Math.trunc(unit in $ms ? gap / $ms[unit] : $between(ms, Date.now(), unit)), unit) },
      setZone: () => self, setLocale: () => self, toUTC: () => self, toLocal: () => self, toDateTime: () => self, toISO: iso, toISODate: () => iso()?.slice(0, 10) ?? null, toISOTime: () => iso()?.slice(11) ?? null, toJSDate: () => date, toMillis: () => ms, toSeconds: () => ms / 1000, toUnixInteger: () => Math.floor(ms / 1000),
      toFormat: (format) => $written(self, format), format: (format) => $written(self, format), toLocaleString: (options = {}) => $inUtc(ms, typeof options === 'object' ? options : {}), toString: iso, toJSON: iso, valueOf: () => ms
    }
    return self
  }
}
const $now = DateTime.now(), $today = $now.startOf('day')`
