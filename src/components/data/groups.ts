import type { JsonValue, ValuePath } from '../../plugin-api.ts'
import { type Identity, identityOf } from './identity.ts'
import { columnOf } from './missing-key.ts'

/** Rows that are alike in their keys, numbered in the order in which each group first came. */
export interface Groups {
  /** The group of each row. */
  readonly of: Uint32Array
  /** The place of the first row of each group. */
  readonly firsts: readonly number[]
}

export function groupRows(rows: readonly JsonValue[], keys: readonly ValuePath[]): Groups {
  const whole: Groups = { of: new Uint32Array(rows.length), firsts: rows.length === 0 ? [] : [0] }
  const [first, ...others] = keys.map((key) => groupValues(columnOf(rows, key)))
  return first === undefined ? whole : others.reduce(crossed, first)
}

/** Values that are alike. */
export function groupValues(values: readonly (JsonValue | undefined)[]): Groups {
  const known = new Map<Identity, number>()
  const of = new Uint32Array(values.length)
  const firsts: number[] = []
  for (let at = 0; at < values.length; at++) {
    const value = values[at]
    const identity = typeof value === 'number' ? value : identityOf(value)
    let group = known.get(identity)
    if (group === undefined) {
      group = firsts.push(at) - 1
      known.set(identity, group)
    }
    of[at] = group
  }
  return { of, firsts }
}

/** Rows that are alike in both. */
function crossed(one: Groups, other: Groups): Groups {
  const width = other.firsts.length
  return groupValues(Array.from(one.of, (group, at) => group * width + other.of[at]!))
}
