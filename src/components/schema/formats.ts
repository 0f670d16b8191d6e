import { compilePattern } from './pattern.ts'

/** Longer texts are of no format: what is asked of each then takes no time. */
const LONGEST = 4_096

/** Formats that are held to; others say what is meant, and are not looked at, as JSON Schema has it. */
export function formatNamed(name: string): ((text: string) => boolean) | undefined {
  const fits = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined
  return fits && ((text) => text.length <= LONGEST && fits(text))
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/
const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[zZ]|[+-](\d\d):(\d\d))$/
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i
const MAILBOX = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i
const BYTE = /^(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/
const GROUP = /^[0-9a-f]{1,4}$/i

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  time: isTime,
  'date-time': (text) => /[tT ]/.test(text.charAt(10)) && isDate(text.slice(0, 10)) && isTime(text.slice(11)),
  duration: (text) =>
    /^P(?!$)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/.test(text),
  email: (text) => isMail(text, (mailbox) => MAILBOX.test(mailbox)),
  'idn-email': (text) => isMail(text, (mailbox) => /^[^\s@"]+$/.test(mailbox)),
  hostname: isHost,
  ipv4: (text) => text.split('.').length === 4 && text.split('.').every((byte) => BYTE.test(byte)),
  ipv6: isIpv6,
  uri: (text) => /^[a-z][a-z0-9+.-]*:/i.test(text) && URL.canParse(text) && !/[\s<>"{}|\\^`]/.test(text),
  'uri-reference': (text) => URL.canParse(text, 'http://example.org') && !/[\s<>"{}|\\^`]/.test(text),
  uuid: (text) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text),
  'json-pointer': (text) => /^(?:\/(?:[^~/]|~[01])*)*$/.test(text),
  regex: isPattern
}

function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? []
  if (day === undefined) return false
  const at = new Date(`${year}-${month}-${day}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.getUTCDate() === Number(day)
}

function isTime(text: string): boolean {
  const [, hours, minutes, seconds, ...zone] = TIME.exec(text) ?? []
  if (seconds === undefined || Number(zone[0] ?? 0) > 23 || Number(zone[1] ?? 0) > 59) return false
  return Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) <= 60
}

function isMail(text: string, isMailbox: (text: string) => boolean): boolean {
  const at = text.lastIndexOf('@')
  return at > 0 && at <= 64 && isMailbox(text.slice(0, at)) && isHost(text.slice(at + 1))
}

function isHost(text: string): boolean {
  return text.length <= 253 && text.split('.').every((label) => LABEL.test(label))
}

function isIpv6(text: string): boolean {
  const halves = text.split('::')
  if (halves.length > 2) return false
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const hasBytes = groups.at(-1)?.includes('.') === true && FORMATS.ipv4!(groups.pop()!)
  const count = groups.length + (hasBytes ? 2 : 0)
  return groups.every((group) => GROUP.test(group)) && (halves.length === 2 ? count < 8 : count === 8)
}

function isPattern(text: string): boolean {
  try {
    compilePattern(text)
    return true
  } catch {
    return false
  }
}
