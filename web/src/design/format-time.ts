const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long ago, or in how long: "just now", "4 min ago", "in 3 d". */
export function relativeTime(at: number, now: number): string {
  const distance = Math.abs(now - at)
  if (distance < 20 * SECOND) return 'just now'
  const text = distanceWords(distance)
  return at <= now ? `${text} ago` : `in ${text}`
}

/** Rounded first, and then told: 59.7 seconds are a minute, and not "60 s". */
function distanceWords(distance: number): string {
  const [seconds, minutes, hours, days] = [SECOND, MINUTE, HOUR, DAY].map((unit) =>
    Math.round(distance / unit)
  )
  if (seconds! < 60) return `${seconds} s`
  if (minutes! < 60) return `${minutes} min`
  if (hours! < 24) return `${hours} h`
  if (days! < 60) return `${days} d`
  return `${Math.round(distance / (30 * DAY))} months`
}

/** A duration in the unit that reads best: "0.4 ms", "12 ms", "3.2 s", "4 min 5 s". */
export function duration(ms: number): string {
  if (ms < 10) return `${trimmed(ms, 2)} ms`
  if (ms < SECOND) return `${Math.round(ms)} ms`
  const [tenths, seconds, minutes] = [SECOND / 10, SECOND, MINUTE].map((unit) => Math.round(ms / unit))
  if (tenths! < 600) return `${tenths! / 10} s`
  if (seconds! < 3_600) return `${Math.floor(seconds! / 60)} min ${seconds! % 60} s`
  return `${Math.floor(minutes! / 60)} h ${minutes! % 60} min`
}

function trimmed(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)))
}
