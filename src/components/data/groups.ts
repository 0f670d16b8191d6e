import type { JsonValue, Turns, ValuePath } from '../../plugin-api.ts'
import { type Identity, identityOf } from './identity.ts'
import { columnOf } from './missing-key.ts'

/** Rows that are alike in their keys, numbered in the order in which each group first came. */
export interface Groups {
  /** The group of each row. */
  readonly of: Uint32Array
  /** The place of the first row of each group. */
  readonly firsts: readonly number[]
}

export function* groupRows(rows: readonly JsonValue[], keys: readonly ValuePath[]): Turns<Groups> {
  const [key, ...others] = keys
  if (key === undefined) return { of: new Uint32Array(rows.length), firsts: rows.length === 0 ? [] : [0] }
  let groups = yield* groupValues(columnOf(rows, key))
  for (const other of others) groups = yield* crossed(groups, yield* groupValues(columnOf(rows, other)))
  return groups
}

/** Values that are looked at before others have their turn; a list or an object takes ten times as long as a number. */
const VALUES_PER_TURN = 500

/** Values that are alike. */
export function* groupValues(values: readonly (JsonValue | undefined)[]): Turns<Groups> {
  const grouping = new Grouping(values.length)
  for (let start = 0; start < values.length; start += VALUES_PER_TURN) {
    if (start > 0) yield
    grouping.add(values, start, Math.min(start + VALUES_PER_TURN, values.length))
  }
  return grouping
}

class Grouping implements Groups {
  readonly of: Uint32Array
  readonly firsts: number[] = []
  readonly #known = new Map<Identity, number>()

  constructor(length: number) {
    this.of = new Uint32Array(length)
  }

  add(values: readonly (JsonValue | undefined)[], start: number, end: number): void {
    const { of, firsts } = this
    const known = this.#known
    for (let at = start; at < end; at++) {
      const value = values[at]
      const identity = typeof value === 'number' ? value : identityOf(value)
      let group = known.get(identity)
      if (group === undefined) {
        group = firsts.push(at) - 1
        known.set(identity, group)
      }
      of[at] = group
    }
  }
}

/** Rows that are alike in both. */
function crossed(one: Groups, other: Groups): Turns<Groups> {
  const width = other.firsts.length
  return groupValues(Array.from(one.of, (group, at) => group * width + other.of[at]!))
}
