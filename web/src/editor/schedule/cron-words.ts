const DAYS = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays']

const NAMES: Readonly<Record<string, string>> = {
  '@hourly': 'Every hour',
  '@daily': 'Daily at 0:00',
  '@midnight': 'Daily at 0:00',
  '@weekly': 'Sundays at 0:00',
  '@monthly': 'Monthly on day 1 at 0:00',
  '@yearly': 'Yearly on January 1',
  '@annually': 'Yearly on January 1'
}

/** What people mostly mean, in a few words; any other expression as it is written. */
export function cronWords(cron: string): string {
  const text = cron.trim()
  const parts = text.split(/\s+/)
  if (Object.hasOwn(NAMES, text)) return NAMES[text]!
  return (parts.length === 5 ? wordsOf(parts as Five) : undefined) ?? text
}

type Five = [minute: string, hour: string, day: string, month: string, weekday: string]

function wordsOf([minute, hour, day, month, weekday]: Five): string | undefined {
  if (month !== '*') return undefined
  if (day === '*' && weekday === '*' && hour === '*') return everyFew(minute)
  if (!isNumber(minute)) return undefined
  if (day === '*' && weekday === '*' && /^\*\/\d+$/.test(hour)) {
    return minute === '0' ? `Every ${hour.slice(2)} hours` : undefined
  }
  if (!isNumber(hour)) return undefined
  const time = `at ${Number(hour)}:${minute.padStart(2, '0')}`
  if (day === '*') {
    const days = daysOf(weekday)
    return days === undefined ? undefined : `${days} ${time}`
  }
  if (weekday !== '*') return undefined
  if (day === 'L') return `Last day of the month ${time}`
  return isNumber(day) ? `Monthly on day ${Number(day)} ${time}` : undefined
}

function everyFew(minute: string): string | undefined {
  if (minute === '*') return 'Every minute'
  if (/^\*\/\d+$/.test(minute)) return `Every ${minute.slice(2)} minutes`
  if (minute === '0') return 'Every hour'
  return isNumber(minute) ? `Every hour at :${minute.padStart(2, '0')}` : undefined
}

function daysOf(weekday: string): string | undefined {
  if (weekday === '*') return 'Daily'
  if (weekday === '1-5' || weekday.toUpperCase() === 'MON-FRI') return 'Weekdays'
  if (weekday === '0,6') return 'Weekends'
  if (!/^[0-7](?:,[0-7]){0,6}$/.test(weekday)) return undefined
  return new Intl.ListFormat('en').format(weekday.split(',').map((day) => DAYS[Number(day)]!))
}

function isNumber(text: string): boolean {
  return /^\d{1,2}$/.test(text)
}
