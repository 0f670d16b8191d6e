const LONGEST = 200

const DAYS: Readonly<Record<string, number>> = { sun: 0, mon: 1, tue: 2, wed: 3, thu: 4, fri: 5, sat: 6 }

/** What people write, from "every weekday at 9" to "last day of the month at 23:00", as a cron expression; undefined where it is not understood. */
export function cronFromWords(words: string): string | undefined {
  if (words.trim() === '' || words.length > LONGEST) return undefined
  const text = words
    .toLowerCase()
    .replace(/[,.]/g, ' ')
    .replace(/\bnoon\b/g, '12:00')
    .replace(/\bmidnight\b/g, '0:00')
    .replace(/\s+/g, ' ')
    .trim()
  return everyFew(text) ?? atTimes(text)
}

/** Without a time of day. */
function everyFew(text: string): string | undefined {
  const [, count = '1', unit] = /^(?:every|each) (?:(\d{1,2}) )?(minute|hour)s?$/.exec(text) ?? []
  if (unit === 'minute') return stepsOf(Number(count), 60, (step) => `${step} * * * *`)
  if (unit === 'hour') return stepsOf(Number(count), 24, (step) => `0 ${step} * * *`)
  if (/^every other hour$/.test(text)) return '0 */2 * * *'
  if (/^(?:every )?half(?: an)? hour$/.test(text)) return '*/30 * * * *'
  if (/^(?:every )?quarter(?: of an)? hour$/.test(text)) return '*/15 * * * *'
  const [, minute] = /^(?:hourly|every hour)(?: at :?(\d{1,2}))?$/.exec(text) ?? []
  if (text === 'hourly') return '0 * * * *'
  return minute !== undefined && Number(minute) < 60 ? `${Number(minute)} * * * *` : undefined
}

/** A step that does not divide the hour or the day comes unevenly: whoever wants that writes cron. */
function stepsOf(count: number, of: number, write: (step: string) => string): string | undefined {
  if (count === 1) return write('*')
  return count > 0 && of % count === 0 && count < of ? write(`*/${count}`) : undefined
}

function atTimes(text: string): string | undefined {
  const [, before, times = ''] = /^(.*?) ?(?:\bat ([\d: apm]+(?:and [\d: apm]+)*))?$/.exec(text) ?? []
  const when = times === '' ? [{ hour: 0, minute: 0 }] : times.split(/ and /).map(timeOf)
  const known = when.filter((time) => time !== undefined)
  const [first] = known
  const days = daysOf((before ?? '').replace(/^(?:every|each|on) /, '').trim())
  if (first === undefined || known.length < when.length || days === undefined) return undefined
  // One expression has the same minute for all its hours.
  if (known.some(({ minute }) => minute !== first.minute)) return undefined
  const hours = [...new Set(known.map(({ hour }) => hour))].sort((a, b) => a - b).join(',')
  return `${first.minute} ${hours} ${days}`
}

function timeOf(text: string): { readonly hour: number; readonly minute: number } | undefined {
  const [, hours, minutes = '0', half] = /^(\d{1,2})(?::(\d{2}))? ?(am|pm)?$/.exec(text.trim()) ?? []
  if (hours === undefined) return undefined
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'pm' ? 12 : 0)
  const isHour = half === undefined ? hour < 24 : Number(hours) >= 1 && Number(hours) <= 12
  return isHour && Number(minutes) < 60 ? { hour, minute: Number(minutes) } : undefined
}

/** Day of the month, month and weekday. */
function daysOf(text: string): string | undefined {
  if (text === '' || /^(?:daily|days?)$/.test(text)) return '* * *'
  if (/^(?:week|work|working )days?$/.test(text)) return '* * 1-5'
  if (/^weekends?$/.test(text)) return '* * 0,6'
  if (/^(?:the )?last day (?:of|in) (?:the|each|every) month$/.test(text)) return 'L * *'
  const [, date] =
    /^(?:the )?(first|\d{1,2})(?:st|nd|rd|th)?(?: day)?(?: (?:of|in) (?:the|each|every) month)?$/.exec(
      text
    ) ??
    /^(?:monthly|months?)(?: on)?(?: the)?(?: day)? ?(first|\d{1,2})?(?:st|nd|rd|th)?$/
      .exec(text)
      ?.map(orFirst) ??
    []
  if (date !== undefined) return dateOf(date)
  return weekdaysOf(text)
}

/** A month without a day means its first. */
function orFirst(found: string | undefined, index: number): string {
  return found ?? (index === 1 ? 'first' : '')
}

function dateOf(date: string): string | undefined {
  const day = date === 'first' ? 1 : Number(date)
  return day >= 1 && day <= 31 ? `${day} * *` : undefined
}

function weekdaysOf(text: string): string | undefined {
  const range = /^(\w+) (?:to|through|until) (\w+)$/.exec(text)
  if (range !== null) {
    const [from, to] = [dayOf(range[1]!), dayOf(range[2]!)]
    return from === undefined || to === undefined || from >= (to || 7) ? undefined : `* * ${from}-${to || 7}`
  }
  const days = text.split(/ (?:and )?/).map(dayOf)
  if (days.includes(undefined)) return undefined
  return `* * ${[...new Set(days)].sort().join(',')}`
}

function dayOf(word: string): number | undefined {
  return /^(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:days?)?$/.test(word)
    ? DAYS[word.slice(0, 3)]
    : undefined
}
