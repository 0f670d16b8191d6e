const STEPS: readonly (readonly [ms: number, name: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's']
]

/** "3 min ago": how long ago a moment is, in one step. */
export function ago(time: string | null | undefined, now: number): string {
  if (time === null || time === undefined) return ''
  const ms = now - Date.parse(time)
  const step = STEPS.find(([unit]) => ms >= unit)
  return step === undefined ? 'just now' : `${Math.floor(ms / step[0])} ${step[1]} ago`
}

/** At a terminal the time of the day is enough, by the clock of whoever sits there. */
export function clockText(time: string | number): string {
  return new Date(time).toTimeString().slice(0, 8)
}

/** "340 ms", "2.5 s", "3 min 20 s". */
export function lasting(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`
  const seconds = Math.round(ms / 1_000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000
}

/** "90s", "1h", "2d" as milliseconds; undefined where it is none. */
export function readDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*(s|min|m|h|d|w)$/.exec(text)
  return match === null ? undefined : Number(match[1]) * UNITS[match[2]!]!
}
