const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

const PART = /(\d+(?:\.\d+)?)\s*([smhd])/g
const WHOLE = /^(?:\d+(?:\.\d+)?\s*[smhd]\s*)+$/

/** Beyond this somebody has made a mistake. */
const LONGEST_DAYS = 3_650
export const LONGEST_MS = LONGEST_DAYS * 86_400_000

export const DURATION_HELP = 'Write a number and a unit, such as 30s, 15m, 2h or 3d.'

/** Milliseconds, or what is wrong with the text. */
export function readDuration(text: string): number | { readonly wrong: string } {
  const trimmed = text.trim()
  if (!WHOLE.test(trimmed)) return { wrong: `${quoted(trimmed)} is not a length of time. ${DURATION_HELP}` }
  let ms = 0
  for (const [, count, unit] of trimmed.matchAll(PART)) ms += Number(count) * UNITS[unit!]!
  if (ms > LONGEST_MS)
    return { wrong: `${quoted(trimmed)} is longer than ${LONGEST_DAYS} days. Write a shorter time.` }
  return Math.round(ms)
}

/** As `readDuration` reads it, to the next second: "1d 2h 5s". */
export function writeDuration(ms: number): string {
  let seconds = Math.max(1, Math.ceil(ms / 1_000))
  const parts: string[] = []
  for (const unit of ['d', 'h', 'm', 's']) {
    const count = Math.floor(seconds / (UNITS[unit]! / 1_000))
    seconds -= count * (UNITS[unit]! / 1_000)
    if (count > 0) parts.push(`${count}${unit}`)
  }
  return parts.join(' ')
}

function quoted(text: string): string {
  return text === '' ? 'An empty text' : JSON.stringify(text.slice(0, 60))
}
