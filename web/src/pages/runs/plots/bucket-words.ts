import type { StatsBucket } from '../../../api/run-stats.ts'
import { clockWords, dayWords, spanWords } from '../filter/time-words.ts'

const DAY = 86_400_000

/** The time of one bucket. */
export function bucketWords({ from, to }: StatsBucket): string {
  return spanWords(from, to)
}

/** What stands below the bucket: the hour within a day, otherwise the day. */
export function labelOf({ from }: StatsBucket, buckets: readonly StatsBucket[]): string {
  const span = Date.parse(buckets.at(-1)!.to) - Date.parse(buckets[0]!.from)
  const at = Date.parse(from)
  return span <= 1.5 * DAY ? clockWords(at, span) : dayWords(at)
}
