import { type JsonValue, makeInTurns, TURN_WORK, type Turns } from '../../plugin-api.ts'
import { WORK_PER_ROW } from './row-work.ts'

/** Past so many digits after the point, sums are added up digit by digit. */
const FINEST = 1e6

/**
 * The sums of groups where all values are numbers of few digits: exact, as integers of their smallest unit, in loops.
 * Undefined where they are not, or a sum is too large for that.
 */
export function* columnSums(
  values: readonly (JsonValue | undefined)[],
  of: Uint32Array,
  count: number
): Turns<number[] | undefined> {
  const adding = new Adding(values, of, count)
  while (!adding.isOver) {
    if (!adding.goOn(TURN_WORK / WORK_PER_ROW)) return undefined
    yield
  }
  const { sums, scale } = adding
  return yield* makeInTurns(count, WORK_PER_ROW, (group) => sums[group]! / scale)
}

class Adding {
  readonly sums: Float64Array
  scale = 1
  readonly #values: readonly (JsonValue | undefined)[]
  readonly #of: Uint32Array
  #at = 0

  constructor(values: readonly (JsonValue | undefined)[], of: Uint32Array, count: number) {
    this.#values = values
    this.#of = of
    this.sums = new Float64Array(count)
  }

  get isOver(): boolean {
    return this.#at >= this.#values.length
  }

  /** Adds so many more; false where they cannot be added so. */
  goOn(rows: number): boolean {
    const { sums, scale } = this
    const values = this.#values
    const of = this.#of
    const end = Math.min(this.#at + rows, values.length)
    for (let at = this.#at; at < end; at++) {
      const value = values[at]
      if (value === undefined || value === null) continue
      if (typeof value !== 'number') return false
      const units = Math.round(value * scale)
      // A quotient is the double nearest to it: if that is the value, the value was written with these digits.
      if (units / scale !== value) return this.#beginAgain(finerScale(value, scale))
      const sum = sums[of[at]!]! + units
      if (sum > Number.MAX_SAFE_INTEGER || sum < Number.MIN_SAFE_INTEGER) return false
      sums[of[at]!] = sum
    }
    this.#at = end
    return true
  }

  /** In smaller units: no more often than there are digits. */
  #beginAgain(scale: number): boolean {
    if (scale > FINEST) return false
    this.scale = scale
    this.sums.fill(0)
    this.#at = 0
    return true
  }
}

/** How many units make a whole, if the value is one of whole units; more than `FINEST` where it has more digits. */
function finerScale(value: number, scale: number): number {
  let finer = scale * 10
  while (finer <= FINEST && Math.round(value * finer) / finer !== value) finer *= 10
  return finer
}
