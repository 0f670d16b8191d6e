import {
  type JsonValue,
  makeInTurns,
  TURN_WORK,
  type Turns,
  type ValuePath,
  workOf
} from '../../plugin-api.ts'
import { type Identity, identityOf } from './identity.ts'
import { identityInTurns } from './long-identity.ts'
import { columnOf } from './missing-key.ts'
import { WORK_PER_LOOKUP, WORK_PER_ROW } from './row-work.ts'

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
  let groups = yield* groupValues(yield* columnOf(rows, key))
  for (const other of others)
    groups = yield* crossed(groups, yield* groupValues(yield* columnOf(rows, other)))
  return groups
}

/** Values that are alike. */
export function* groupValues(values: readonly (JsonValue | undefined)[]): Turns<Groups> {
  const grouping = new Grouping(values)
  while (!grouping.isOver) {
    if (grouping.goOn() === 'long') grouping.add(yield* identityInTurns(values[grouping.at]))
    yield
  }
  return grouping
}

class Grouping implements Groups {
  readonly of: Uint32Array
  readonly firsts: number[] = []
  /** The place of the next value. */
  at = 0
  readonly #values: readonly (JsonValue | undefined)[]
  readonly #known = new Map<Identity, number>()

  constructor(values: readonly (JsonValue | undefined)[]) {
    this.of = new Uint32Array(values.length)
    this.#values = values
  }

  get isOver(): boolean {
    return this.at >= this.#values.length
  }

  /** As many more as a turn has time for, up to one that is long. */
  goOn(): 'long' | 'short' {
    const { of, firsts } = this
    const known = this.#known
    const values = this.#values
    let at = this.at
    let work = 0
    for (; at < values.length && work < TURN_WORK; at++) {
      const value = values[at]
      const own = typeof value === 'string' ? value.length : typeof value === 'object' ? workOf(value) : 0
      if (own > TURN_WORK && typeof value === 'object') break
      const identity = typeof value === 'number' ? value : identityOf(value)
      let group = known.get(identity)
      if (group === undefined) {
        group = firsts.push(at) - 1
        known.set(identity, group)
      }
      of[at] = group
      work += WORK_PER_LOOKUP + own
    }
    this.at = at
    return at < values.length && work < TURN_WORK ? 'long' : 'short'
  }

  /** The next one, which is long. */
  add(identity: Identity): void {
    const group = this.#known.get(identity) ?? this.firsts.push(this.at) - 1
    this.#known.set(identity, group)
    this.of[this.at++] = group
  }
}

/** Rows that are alike in both. */
function* crossed(one: Groups, other: Groups): Turns<Groups> {
  const width = other.firsts.length
  return yield* groupValues(
    yield* makeInTurns(one.of.length, WORK_PER_ROW, (at) => one.of[at]! * width + other.of[at]!)
  )
}
