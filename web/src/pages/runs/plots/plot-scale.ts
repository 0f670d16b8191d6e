/** Numbers for plots: where a value stands, and which values are written beside an axis. */

export interface Tick {
  readonly value: number
  /** From 0 at the bottom to 1 at the top. */
  readonly place: number
}

const ROUND = [1, 1.2, 1.4, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10]

/** Counts begin at nothing. The top is a round number that nothing exceeds, and whose half is a number of runs too. */
export function countTicks(most: number): { readonly top: number; readonly ticks: readonly Tick[] } {
  const power = 10 ** Math.floor(Math.log10(Math.max(2, most)))
  const tops = ROUND.map((factor) => Math.round(factor * power)).filter((top) => top % 2 === 0)
  const top = tops.find((candidate) => candidate >= most) ?? 10 * power
  return { top, ticks: [0, top / 2, top].map((value) => ({ value, place: value / top })) }
}

export interface LogScale {
  /** From 0 to 1; what lies below the scale stands at its bottom. */
  readonly place: (value: number) => number
  readonly ticks: readonly Tick[]
}

/** Where there is nothing to show: what most runs take. */
const EMPTY_MS = [1, 1_000] as const

/**
 * Durations of milliseconds and of minutes have to be seen together: each tenfold takes the same room. They are known
 * to the millisecond, so nothing is below one.
 */
export function logScale(values: readonly number[]): LogScale {
  const [least, most] =
    values.length === 0 ? EMPTY_MS : [Math.max(1, Math.min(...values)), Math.max(10, ...values)]
  const low = Math.floor(Math.log10(least * (1 + 1e-9)))
  const high = Math.max(low + 1, Math.ceil(Math.log10(most * (1 - 1e-9))))
  const place = (value: number) => {
    if (value <= 0) return 0
    return Math.max(0, Math.min(1, (Math.log10(value) - low) / (high - low)))
  }
  const step = Math.ceil((high - low) / 3)
  const exponents = Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, n) => low + n * step)
  const ticks = exponents.map((exponent) => ({ value: 10 ** exponent, place: place(10 ** exponent) }))
  return { place, ticks }
}

/** A power of ten of milliseconds, in as few letters as stand beside an axis. */
export function durationTick(ms: number): string {
  if (ms < 1_000) return `${ms} ms`
  if (ms < 1_000_000) return `${ms / 1_000} s`
  if (ms < 10_000_000) return `${Math.round(ms / 60_000)} min`
  const hours = ms / 3_600_000
  return `${hours < 10 ? hours.toFixed(1) : Math.round(hours)} h`
}

/** Which buckets have their beginning written below them: a few, evenly spread, never so close that they touch. */
export function labelledBuckets(count: number, room: number, labelWidth: number): number[] {
  const most = Math.max(1, Math.floor(room / labelWidth))
  const step = Math.max(1, Math.ceil(count / most))
  return Array.from({ length: Math.ceil(count / step) }, (_, n) => n * step)
}

/** A line through the values that there are, broken where there is none. */
export function linePath(points: readonly (readonly [x: number, y: number] | null)[]): string {
  let path = ''
  let isDown = false
  for (const point of points) {
    if (point !== null) path += `${isDown ? 'L' : 'M'}${point[0].toFixed(1)} ${point[1].toFixed(1)}`
    isDown = point !== null
  }
  return path
}

/** Points with nothing on either side, which a line does not show. */
export function lonePoints<T>(points: readonly (T | null)[]): T[] {
  return points.filter((point, index): point is T => {
    return point !== null && (points[index - 1] ?? null) === null && (points[index + 1] ?? null) === null
  })
}
