import { Cron } from 'croner'

/** The times that come next, in milliseconds since 1970; none where the expression or the zone is not sound. */
export function nextTimes(cron: string, timezone: string, from: number, count: number): readonly number[] {
  const fields = cron.trim().split(/\s+/).length
  if (!cron.trim().startsWith('@') && (fields < 5 || fields > 7)) return []
  try {
    const times = new Cron(cron.trim(), { timezone: timezone.trim() || 'UTC' }).nextRuns(
      count,
      new Date(from)
    )
    return times.map((time) => time.getTime())
  } catch {
    return []
  }
}
