import { duration } from '../../design/format-time.ts'

/** A duration between two moments that are known to the millisecond: nothing takes no time at all. */
export function wholeDuration(ms: number): string {
  return ms < 1 ? '< 1 ms' : duration(ms)
}
