import { bounded, listOf, type Members, textOf } from '../values.ts'
import type { Writer } from './writer.ts'

/** When a rule of a Schedule Trigger comes. */
export function cronOfRule(rule: Members, write: Writer): string {
  const minute = bounded(rule.triggerAtMinute, 0, 59) ?? 0
  const hour = bounded(rule.triggerAtHour, 0, 23) ?? 0
  const count = (name: string, usual = 1) => bounded(rule[name], 1, 10_000) ?? usual
  switch (textOf(rule.field) || 'days') {
    case 'cronExpression':
      return asWritten(textOf(rule.expression))
    case 'seconds':
      return cronEvery(count('secondsInterval', 30), 'seconds', write)
    case 'minutes':
      return cronEvery(count('minutesInterval', 5), 'minutes', write)
    case 'hours':
      return cronEvery(count('hoursInterval'), 'hours', write, minute)
    case 'weeks': {
      const weeks = count('weeksInterval')
      if (weeks > 1)
        write.tell(`It came every ${weeks} weeks, and comes each week now: let a condition leave some out.`)
      return `${minute} ${hour} * * ${listOf(rule.triggerAtDay).map(textOf).join(',') || '0'}`
    }
    case 'months':
      return `${minute} ${hour} ${bounded(rule.triggerAtDayOfMonth, 1, 31) ?? 1} ${stepsOf(count('monthsInterval'), 12)} *`
    default:
      return cronOfDays(count('daysInterval'), `${minute} ${hour}`, write)
  }
}

/** Of the first versions of Cron. */
export function cronOfOld(item: Members, write: Writer): string {
  const minute = bounded(item.minute, 0, 59) ?? 0
  const hour = bounded(item.hour, 0, 23) ?? 14
  const every: Readonly<Record<string, string>> = {
    everyMinute: '* * * * *',
    everyHour: `${minute} * * * *`,
    everyWeek: `${minute} ${hour} * * ${textOf(item.weekday) || '1'}`,
    everyMonth: `${minute} ${hour} ${bounded(item.dayOfMonth, 1, 31) ?? 1} * *`
  }
  const mode = textOf(item.mode)
  if (mode === 'custom') return asWritten(textOf(item.cronExpression))
  if (mode === 'everyX')
    return cronEvery(bounded(item.value, 1, 10_000) ?? 2, textOf(item.unit) || 'hours', write)
  return every[mode] ?? `${minute} ${hour} * * *`
}

const PER_NEXT: Readonly<Record<string, readonly [most: number, next: string]>> = {
  seconds: [60, 'minutes'],
  minutes: [60, 'hours'],
  hours: [24, 'days']
}

/** A cron counts from the beginning of the next greater unit, so not every interval is one. */
export function cronEvery(count: number, unit: string, write: Writer, minute = 0): string {
  const [most, next] = PER_NEXT[unit] ?? PER_NEXT.seconds!
  if (count >= most) {
    if (count % most !== 0)
      write.tell(
        `It came every ${count} ${unit}, which no cron says: it comes every ${Math.round(count / most)} ${next} now.`
      )
    const greater = Math.max(1, Math.round(count / most))
    return next === 'days' ? cronOfDays(greater, `${minute} 0`, write) : cronEvery(greater, next, write)
  }
  if (unit === 'hours') return `${minute} ${stepsOf(count, 24)} * * *`
  return unit === 'minutes' ? `${stepsOf(count, 60)} * * * *` : `${stepsOf(count, 60)} * * * * *`
}

function cronOfDays(count: number, time: string, write: Writer): string {
  if (count > 1)
    write.tell(`It came every ${count} days; here these are counted from the first day of each month.`)
  return `${time} ${stepsOf(count, 31)} * *`
}

function stepsOf(count: number, most: number): string {
  return count === 1 ? '*' : `*/${Math.min(count, most)}`
}

/** n8n may write text with `=`, and seconds first, as a Schedule takes them. */
function asWritten(written: string): string {
  return written.replace(/^=/, '').trim().replace(/\s+/g, ' ')
}
