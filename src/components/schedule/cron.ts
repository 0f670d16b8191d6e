import { createRequire } from 'node:module'

type Croner = typeof import('croner')
type Pattern = InstanceType<Croner['Cron']>

/** The times at which a schedule comes, in milliseconds since 1970. */
export interface Timetable {
  /** The first one after this moment; undefined where none comes any more. */
  next(after: number): number | undefined
}

/** Loaded with the first schedule: a service without any pays nothing for it. */
function compile(cron: string, timezone: string): Pattern {
  const { Cron } = createRequire(import.meta.url)('croner') as Croner
  return new Cron(cron, { timezone })
}

/** Throws where the expression or the zone is not valid. */
export function timetableOf(cron: string, timezone: string): Timetable {
  assertZone(timezone)
  const pattern = compile(cron.trim(), timezone.trim() || 'UTC')
  return { next: (after) => pattern.nextRun(new Date(after))?.getTime() }
}

export class CronError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'CronError'
    this.code = code
  }
}

const EXAMPLE = 'such as 0 9 * * 1-5 for 9:00 on weekdays'
const ORDER = 'minute, hour, day of the month, month and weekday'
const LONGEST = 200

/** Throws a CronError that says what is wrong with the expression. */
export function assertCron(cron: string, timezone: string, now: number): void {
  const text = cron.trim()
  if (text === '') throw new CronError('invalid_cron', `It is empty. Write ${ORDER}, ${EXAMPLE}.`)
  if (text.length > LONGEST)
    throw new CronError('invalid_cron', `It has more than ${LONGEST} characters. Write a shorter one.`)
  const count = text.split(/\s+/).length
  if (!text.startsWith('@') && (count < 5 || count > 7)) {
    const counted = `${count} ${count === 1 ? 'field' : 'fields'}`
    throw new CronError(
      'invalid_cron',
      `It has ${counted}. Write five: ${ORDER}, ${EXAMPLE}; or six, with seconds first.`
    )
  }
  if (nextOf(text, timezone, now) === undefined)
    throw new CronError('cron_never', 'It never comes. Write a day and a month that exist, in the future.')
}

/** When expressions come next that were asked for last; undefined for never. */
const known = new Map<string, number | undefined>()
const MOST_KNOWN = 1_000

/** That an expression never comes is known after four hundred years have been looked through, in 10 to 20 ms: the same one is looked at once. */
function nextOf(text: string, timezone: string, now: number): number | undefined {
  const key = `${text}\n${timezone}`
  const found = known.get(key)
  if (known.has(key) && (found === undefined || found > now)) return found
  const next = timetable(text, timezone).next(now)
  known.delete(key)
  known.set(key, next)
  if (known.size > MOST_KNOWN) known.delete(known.keys().next().value!)
  return next
}

function timetable(cron: string, timezone: string): Timetable {
  try {
    return timetableOf(cron, timezone)
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : 'it cannot be read'
    throw new CronError('invalid_cron', `It is not a cron expression: ${why}. Write ${ORDER}, ${EXAMPLE}.`)
  }
}

/** Throws a CronError where there is no such zone. */
export function assertZone(timezone: string): void {
  const name = timezone.trim()
  if (name === '' || isZone(name)) return
  const last = (zone: string) => zone.slice(zone.lastIndexOf('/') + 1).toLowerCase()
  const wanted = last(name.slice(0, LONGEST_ZONE)).replaceAll(' ', '_')
  const meant = Intl.supportedValuesOf('timeZone').find((zone) => last(zone) === wanted)
  const advice = meant === undefined ? 'Use a name such as Europe/Berlin, or UTC.' : `Did you mean ${meant}?`
  throw new CronError('unknown_timezone', `There is no time zone "${name.slice(0, LONGEST_ZONE)}". ${advice}`)
}

const LONGEST_ZONE = 100

function isZone(name: string): boolean {
  if (name.length > LONGEST_ZONE) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
