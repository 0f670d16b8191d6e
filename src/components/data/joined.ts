import {
  isPlainObject,
  type JsonValue,
  type OutputLimit,
  outputTooLarge,
  StepError,
  type Turns,
  type ValuePath
} from '../../plugin-api.ts'
import { describe } from './describe.ts'
import { type Identity, looseIdentityOf } from './identity.ts'
import { mapInTurns } from './map-in-turns.ts'
import { columnOf } from './missing-key.ts'

export const JOINS = ['Inner', 'Left', 'Right', 'Outer', 'Left only'] as const
export const CLASHES = ['Both', 'Left', 'Right'] as const

export interface JoinRules {
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

/** Pairs that are made before others have their turn. */
const PAIRS_PER_TURN = 1_000

/** A hash join: the right list is looked up by its keys, the left one decides the order. */
export function* joined(sides: Sides, rules: JoinRules, limit: OutputLimit): Turns<{ data: JsonValue[] }> {
  const [lefts, rights] = [itemsOf(sides.left, 'left'), itemsOf(sides.right, 'right')]
  const places = yield* placesByKey(yield* keysOf(rights, rules.right, 'right'))
  const leftKeys = yield* keysOf(lefts, rules.left, 'left')
  const made = new Pairs(rules, limit)
  const matched = new Uint8Array(rights.length)
  for (const [at, left] of lefts.entries()) {
    const found = leftKeys[at] === undefined ? [] : (places.get(leftKeys[at]) ?? [])
    if (found.length === 0) made.addLeft(left)
    if (rules.mode === 'Left only') continue
    for (const place of found) {
      matched[place] = 1
      made.add(left, rights[place]!)
      if (made.count % PAIRS_PER_TURN === 0) yield
    }
  }
  for (const [place, right] of rights.entries()) if (matched[place] === 0) made.addRight(right)
  return { data: made.rows }
}

/** What comes of the pairs, as long as it is small enough: a key that many have on both sides gives far too many. */
class Pairs {
  readonly rows: Item[] = []
  readonly #rules: JoinRules
  readonly #limit: OutputLimit
  /** Of names alone: no fewer than that. */
  #bytes = 0

  constructor(rules: JoinRules, limit: OutputLimit) {
    this.#rules = rules
    this.#limit = limit
  }

  get count(): number {
    return this.rows.length
  }

  add(left: Item, right: Item): void {
    this.#push(combined(left, right, this.#rules))
  }

  addLeft(left: Item): void {
    if (['Left', 'Outer', 'Left only'].includes(this.#rules.mode)) this.#push(left)
  }

  addRight(right: Item): void {
    if (['Right', 'Outer'].includes(this.#rules.mode)) this.#push(underLeftKeys(right, this.#rules))
  }

  #push(row: Item): void {
    for (const name in row) this.#bytes += name.length + 5
    if (this.#bytes > this.#limit.bytes)
      throw outputTooLarge(this.#limit, {
        advice: 'Join by a key that fewer items share, or shorten the lists before'
      })
    this.rows.push(row)
  }
}

/** Keys are the same on both sides, so they do not clash. */
function combined(left: Item, right: Item, { clash, left: leftKeys, right: rightKeys }: JoinRules): Item {
  if (clash === 'Left') return { ...right, ...left }
  if (clash === 'Right') return { ...left, ...right }
  const isKey = (name: string) =>
    rightKeys.some(({ text }, at) => text === name && leftKeys[at]!.text === name)
  const others = Object.entries(right).filter(([name]) => !isKey(name))
  return {
    ...left,
    ...Object.fromEntries(others.map(([name, value]) => [freeName(name, left, right), value]))
  }
}

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

function itemsOf(rows: readonly JsonValue[], side: string): readonly Item[] {
  const odd = rows.findIndex((row) => !isPlainObject(row))
  if (odd < 0) return rows as readonly Item[]
  throw new StepError(`Item ${odd} of "${side}" is ${describe(rows[odd])}. Join takes lists of objects.`, {
    code: 'not_an_object',
    retryable: false
  })
}

function* placesByKey(keys: readonly (Identity | undefined)[]): Turns<Map<Identity, number[]>> {
  const places = new Map<Identity, number[]>()
  for (const [place, key] of keys.entries()) {
    if ((place + 1) % PAIRS_PER_TURN === 0) yield
    if (key === undefined) continue
    const found = places.get(key)
    if (found === undefined) places.set(key, [place])
    else found.push(place)
  }
  return places
}

/** The key of each row; undefined where a part of it is null, which equals nothing. */
function keysOf(
  rows: readonly Item[],
  paths: readonly ValuePath[],
  side: string
): Turns<(Identity | undefined)[]> {
  const columns = paths.map((path) => columnOf(rows as readonly JsonValue[], path, `In "${side}": `))
  return mapInTurns(rows, (_, at) => {
    const parts = columns.map((column) => looseIdentityOf(column[at]))
    if (parts.includes(null)) return undefined
    return parts.length === 1 ? parts[0]! : JSON.stringify(parts)
  })
}
