const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long ago, or in how long: "just now", "4 min ago", "in 3 d". */
export function relativeTime(at: number, now: number): string {
  const distance = Math.abs(now - at)
  if (distance < 20 * SECOND) return 'just now'
  const words = distanceWords(distance)
  return at <= now ? `${words} ago` : `in ${words}`
}

function distanceWords(distance: number): string {
  if (distance < MINUTE) return `${Math.round(distance / SECOND)} s`
  if (distance < HOUR) return `${Math.round(distance / MINUTE)} min`
  if (distance < DAY) return `${Math.round(distance / HOUR)} h`
  if (distance < 60 * DAY) return `${Math.round(distance / DAY)} d`
  return `${Math.round(distance / (30 * DAY))} months`
}

/** A duration in the unit that reads best: "0.4 ms", "12 ms", "3.2 s", "4 min 5 s". */
export function duration(ms: number): string {
  if (ms < 10) return `${trimmed(ms, 2)} ms`
  if (ms < SECOND) return `${Math.round(ms)} ms`
  if (ms < MINUTE) return `${trimmed(ms / SECOND, 1)} s`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ${Math.round((ms % MINUTE) / SECOND)} s`
  return `${Math.floor(ms / HOUR)} h ${Math.round((ms % HOUR) / MINUTE)} min`
}

function trimmed(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)))
}
