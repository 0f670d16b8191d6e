import {
  inStretches,
  isPlainObject,
  type JsonValue,
  type OutputLimit,
  outputTooLarge,
  StepError,
  TURN_WORK,
  type Turns,
  type ValuePath,
  WorkMeter,
  workOf
} from '../../plugin-api.ts'
import { describe } from './describe.ts'
import { type Identity, identityOf, looseIdentity } from './identity.ts'
import { identityInTurns } from './long-identity.ts'
import { columnOf } from './missing-key.ts'
import { WORK_PER_LOOKUP, WORK_PER_ROW } from './row-work.ts'
import { setMember } from './set-member.ts'

export const JOINS = ['Inner', 'Left', 'Right', 'Outer', 'Left only'] as const
export const CLASHES = ['Both', 'Left', 'Right'] as const

interface JoinRules {
  readonly mode: (typeof JOINS)[number]
  readonly clash: (typeof CLASHES)[number]
  readonly left: readonly ValuePath[]
  readonly right: readonly ValuePath[]
}

interface Sides {
  readonly left: readonly JsonValue[]
  readonly right: readonly JsonValue[]
}

type Item = { readonly [key: string]: JsonValue }

/** A hash join: the right list is looked up by its keys, the left one decides the order. */
export function* joined(sides: Sides, rules: JoinRules, limit: OutputLimit): Turns<{ data: JsonValue[] }> {
  const [lefts, rights] = [yield* itemsOf(sides.left, 'left'), yield* itemsOf(sides.right, 'right')]
  const places = yield* placesByKey(yield* keysOf(rights, rules.right, 'right'))
  const leftKeys = yield* keysOf(lefts, rules.left, 'left')
  const made = new Pairs(rules, limit)
  const matched = new Uint8Array(rights.length)
  const meter = new WorkMeter()
  for (const [at, left] of lefts.entries()) {
    const key = leftKeys[at]
    const found = key === undefined ? undefined : places.get(key)
    if (meter.isTurnOver(found === undefined ? made.addLeft(left) : WORK_PER_LOOKUP)) yield
    if (found === undefined || rules.mode === 'Left only') continue
    for (const place of found) {
      matched[place] = 1
      if (meter.isTurnOver(made.add(left, rights[place]!))) yield
    }
  }
  yield* addUnmatched(made, rights, matched)
  return { data: made.rows }
}

function* addUnmatched(made: Pairs, rights: readonly Item[], matched: Uint8Array): Turns<void> {
  const meter = new WorkMeter()
  for (const [place, right] of rights.entries())
    if (meter.isTurnOver(matched[place] === 0 ? made.addRight(right) : WORK_PER_ROW)) yield
}

/** What comes of the pairs, as long as it is small enough: a key that many have on both sides gives far too many. */
class Pairs {
  readonly rows: Item[] = []
  readonly #rules: JoinRules
  readonly #limit: OutputLimit
  /** Names that are keys on both sides. */
  readonly #keys: ReadonlySet<string>
  /** Of names alone: no fewer than that. */
  #bytes = 0

  constructor(rules: JoinRules, limit: OutputLimit) {
    this.#rules = rules
    this.#limit = limit
    const rights = rules.right.map(({ text }) => text)
    this.#keys = new Set(rights.filter((name, at) => rules.left[at]!.text === name))
  }

  /** Each gives what it took, in characters. */
  add(left: Item, right: Item): number {
    return this.#push(this.#combined(left, right))
  }

  addLeft(left: Item): number {
    return ['Left', 'Outer', 'Left only'].includes(this.#rules.mode) ? this.#push(left) : WORK_PER_LOOKUP
  }

  addRight(right: Item): number {
    if (!['Right', 'Outer'].includes(this.#rules.mode)) return WORK_PER_LOOKUP
    return this.#push(underLeftKeys(right, this.#rules))
  }

  #push(row: Item): number {
    let members = 0
    for (const name in row) {
      this.#bytes += name.length + 5
      members++
    }
    if (this.#bytes > this.#limit.bytes)
      throw outputTooLarge(this.#limit, {
        advice: 'Join by a key that fewer items share, or shorten the lists before'
      })
    this.rows.push(row)
    return WORK_PER_LOOKUP + members * WORK_PER_MEMBER
  }

  /** Keys are the same on both sides, so they do not clash. */
  #combined(left: Item, right: Item): Item {
    const { clash } = this.#rules
    if (clash === 'Left') return { ...right, ...left }
    if (clash === 'Right') return { ...left, ...right }
    const row: { [key: string]: JsonValue } = { ...left }
    for (const name in right) {
      if (!this.#keys.has(name)) setMember(row, freeName(name, left, right), right[name]!)
    }
    return row
  }
}

/** To list a member, to look for its name and to copy it, in characters. */
const WORK_PER_MEMBER = 64

function freeName(name: string, left: Item, right: Item): string {
  if (!Object.hasOwn(left, name)) return name
  let free = `right_${name}`
  while (Object.hasOwn(left, free) || Object.hasOwn(right, free)) free = `right_${free}`
  return free
}

/** An item of the right without its half is found by the names of the left, as pairs are. */
function underLeftKeys(right: Item, { left, right: keys }: JoinRules): Item {
  const named = left.map(({ text }, at) => [text, keys[at]!.read(right as JsonValue) ?? null] as const)
  return { ...Object.fromEntries(named.filter(([name]) => !name.includes('.'))), ...right }
}

function* itemsOf(rows: readonly JsonValue[], side: string): Turns<readonly Item[]> {
  let odd = -1
  yield* inStretches(rows.length, WORK_PER_ROW, (from, to) => {
    for (let at = from; at < to && odd < 0; at++) if (!isPlainObject(rows[at])) odd = at
  })
  if (odd < 0) return rows as readonly Item[]
  throw new StepError(`Item ${odd} of "${side}" is ${describe(rows[odd])}. Join takes lists of objects.`, {
    code: 'not_an_object',
    retryable: false
  })
}

function* placesByKey(keys: readonly (Identity | undefined)[]): Turns<Map<Identity, number[]>> {
  const places = new Map<Identity, number[]>()
  yield* inStretches(keys.length, WORK_PER_LOOKUP, (from, to) => {
    for (let place = from; place < to; place++) {
      const key = keys[place]
      if (key === undefined) continue
      const found = places.get(key)
      if (found === undefined) places.set(key, [place])
      else found.push(place)
    }
  })
  return places
}

/** The key of each row; undefined where a part of it is null, which equals nothing. */
function* keysOf(
  rows: readonly Item[],
  paths: readonly ValuePath[],
  side: string
): Turns<(Identity | undefined)[]> {
  const columns: (readonly (JsonValue | undefined)[])[] = []
  for (const path of paths)
    columns.push(yield* columnOf(rows as readonly JsonValue[], path, `In "${side}": `))
  const keys: (Identity | undefined)[] = []
  const meter = new WorkMeter()
  for (let at = 0; at < rows.length; at++) {
    const parts: Identity[] = []
    for (const column of columns) {
      const value = column[at]
      const work = typeof value === 'object' || typeof value === 'string' ? workOf(value) : 0
      parts.push(looseIdentity(work > TURN_WORK ? yield* identityInTurns(value) : identityOf(value)))
      if (meter.isTurnOver(WORK_PER_LOOKUP + work)) yield
    }
    if (parts.includes(null)) keys.push(undefined)
    else keys.push(parts.length === 1 ? parts[0]! : JSON.stringify(parts))
  }
  return keys
}
