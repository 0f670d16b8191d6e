import { inStretches, TURN_WORK, type Turns } from '../../plugin-api.ts'
import { WORK_PER_ROW } from './row-work.ts'
import type { Compare } from './value-order.ts'

/** Of rows in their list, in the order that is wanted. */
type Places = Uint32Array<ArrayBuffer>

export interface Order {
  /** Compares rows by their places in the list. */
  readonly compare: Compare<number>
  /** What it takes to compare the row with another one, besides the call: in characters. None: no more than that. */
  readonly workAt: ((place: number) => number) | undefined
}

/** Sorted at once: a few milliseconds, as each is compared with ten others. */
const PART_WORK = 4 * TURN_WORK
const WORK_PER_COMPARISON = 16

/**
 * A stable sort that lets others have their turn: parts are sorted by the engine of JavaScript and merged, two by two.
 */
export function* sortedPlaces(length: number, order: Order): Turns<Places> {
  let parts: Places[] = []
  for (let from = 0; from < length; ) {
    const part = placesFrom(from, endOfPart(from, length, order) - from).sort(order.compare)
    parts.push(part)
    from += part.length
    yield
  }
  while (parts.length > 1) {
    const merged: Places[] = []
    for (let at = 0; at < parts.length; at += 2)
      merged.push(parts[at + 1] === undefined ? parts[at]! : yield* merge(parts[at]!, parts[at + 1]!, order))
    parts = merged
  }
  return parts[0] ?? new Uint32Array()
}

function endOfPart(from: number, length: number, { workAt }: Order): number {
  if (workAt === undefined) return Math.min(from + PART_WORK / WORK_PER_COMPARISON, length)
  let at = from
  for (let work = 0; at < length && work < PART_WORK; at++) work += WORK_PER_COMPARISON + workAt(at)
  return at
}

function placesFrom(from: number, length: number): Places {
  const places = new Uint32Array(length)
  for (let at = 0; at < length; at++) places[at] = from + at
  return places
}

function* merge(one: Places, other: Places, order: Order): Turns<Places> {
  const merging = {
    one,
    other,
    order,
    merged: new Uint32Array(one.length + other.length),
    first: 0,
    second: 0
  }
  while (merging.first < one.length && merging.second < other.length) {
    mergeSome(merging)
    yield
  }
  yield* takeRest(merging)
  return merging.merged
}

interface Merging {
  readonly one: Places
  readonly other: Places
  readonly order: Order
  readonly merged: Places
  first: number
  second: number
}

/** Apart from the generator, whose loops are slower. */
function mergeSome(merging: Merging): void {
  const { one, other, order, merged } = merging
  const { compare, workAt } = order
  let { first, second } = merging
  for (let work = 0; work < TURN_WORK && first < one.length && second < other.length; ) {
    const takesFirst = compare(one[first]!, other[second]!) <= 0
    const place = takesFirst ? one[first]! : other[second]!
    merged[first + second] = place
    if (takesFirst) first++
    else second++
    // The shorter of the two is all that is looked at, so that it is no more than this.
    work += workAt === undefined ? WORK_PER_COMPARISON : WORK_PER_COMPARISON + workAt(place)
  }
  merging.first = first
  merging.second = second
}

function* takeRest({ one, other, merged, first, second }: Merging): Turns<void> {
  const rest = first < one.length ? one.subarray(first) : other.subarray(second)
  merged.set(rest, first + second)
  yield
}

/** The items at these places. */
export function* itemsAt<Item>(items: readonly Item[], places: Places): Turns<Item[]> {
  const found = new Array<Item>(places.length)
  yield* inStretches(places.length, WORK_PER_ROW, (from, to) => {
    for (let at = from; at < to; at++) found[at] = items[places[at]!]!
  })
  return found
}
