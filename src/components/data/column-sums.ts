import type { JsonValue } from '../../plugin-api.ts'

/** Past so many digits after the point, sums are added up digit by digit. */
const FINEST = 1e6

/**
 * The sums of groups where all values are numbers of few digits: exact, as integers of their smallest unit, in one loop.
 * Undefined where they are not, or a sum is too large for that.
 */
export function columnSums(
  values: readonly (JsonValue | undefined)[],
  of: Uint32Array,
  count: number
): number[] | undefined {
  const scale = scaleOf(values)
  if (scale === undefined) return undefined
  const sums = new Float64Array(count)
  for (let at = 0; at < values.length; at++) {
    const value = values[at]
    if (typeof value !== 'number') continue
    const sum = sums[of[at]!]! + Math.round(value * scale)
    if (sum > Number.MAX_SAFE_INTEGER || sum < Number.MIN_SAFE_INTEGER) return undefined
    sums[of[at]!] = sum
  }
  return Array.from(sums, (sum) => sum / scale)
}

/** How many units make a whole, if each value is a number of whole units, or is none at all. */
function scaleOf(values: readonly (JsonValue | undefined)[]): number | undefined {
  let scale = 1
  for (let at = 0; at < values.length; at++) {
    const value = values[at]
    if (value === undefined || value === null) continue
    if (typeof value !== 'number') return undefined
    // A quotient is the double nearest to it: if that is the value, the value was written with these digits.
    while (Math.round(value * scale) / scale !== value) {
      scale *= 10
      if (scale > FINEST) return undefined
    }
  }
  return scale
}
