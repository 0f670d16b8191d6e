import { UsageError } from '../command-error.ts'
import { readDuration } from './print/times.ts'

/** A moment in the past: so long ago, or a date and time. As the API takes it. */
export function readPast(option: string, text: string | undefined, now: number): string | undefined {
  return readMoment(option, text, (ms) => now - ms)
}

/** A moment to come. */
export function readFuture(option: string, text: string | undefined, now: number): string | undefined {
  return readMoment(option, text, (ms) => now + ms)
}

function readMoment(
  option: string,
  text: string | undefined,
  momentOf: (ms: number) => number
): string | undefined {
  if (text === undefined) return undefined
  const ms = readDuration(text)
  const moment = new Date(ms === undefined ? (/^\d{4}-\d\d/.test(text) ? text : Number.NaN) : momentOf(ms))
  if (!Number.isNaN(moment.getTime())) return moment.toISOString()
  throw new UsageError(
    `--${option} cannot be "${text}". Write 30m, 2h or 7d, or a time such as 2026-01-31T12:00:00Z.`
  )
}

export function readCount(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`--${option} cannot be "${text}". Write a whole number.`)
}
