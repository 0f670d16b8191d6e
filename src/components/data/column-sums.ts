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
  let scale = 1
  const sums = new Float64Array(count)
  for (let at = 0; at < values.length; at++) {
    const value = values[at]
    if (value === undefined || value === null) continue
    if (typeof value !== 'number') return undefined
    const units = Math.round(value * scale)
    // A quotient is the double nearest to it: if that is the value, the value was written with these digits.
    if (units / scale !== value) {
      scale = finerScale(value, scale)
      if (scale > FINEST) return undefined
      // Again, in smaller units: no more often than there are digits.
      sums.fill(0)
      at = -1
      continue
    }
    const sum = sums[of[at]!]! + units
    if (sum > Number.MAX_SAFE_INTEGER || sum < Number.MIN_SAFE_INTEGER) return undefined
    sums[of[at]!] = sum
  }
  return Array.from(sums, (sum) => sum / scale)
}

/** How many units make a whole, if the value is one of whole units; more than `FINEST` where it has more digits. */
function finerScale(value: number, scale: number): number {
  let finer = scale * 10
  while (finer <= FINEST && Math.round(value * finer) / finer !== value) finer *= 10
  return finer
}
