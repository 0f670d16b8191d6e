import {
  BoundedText,
  ExactNumber,
  isPlainObject,
  type JsonValue,
  TURN_WORK,
  type Turns,
  workOf,
  writeJson,
  writeJsonTo
} from '../../plugin-api.ts'
import { type Identity, identityOf, MARK, sortedMembers } from './identity.ts'
import { sortedPlaces } from './sort-in-turns.ts'

/** As identityOf, of a value of any size: one that is long is written in turns. */
export function* identityInTurns(value: JsonValue | undefined): Turns<Identity> {
  if (!isLongContainer(value)) return identityOf(value)
  const text = new BoundedText(Number.POSITIVE_INFINITY)
  yield* writeSorted(text, value)
  const identity = `${MARK}j${text}`
  yield
  return identity
}

function isLongContainer(value: JsonValue | undefined): value is JsonValue {
  const isContainer = typeof value === 'object' && value !== null && !(value instanceof ExactNumber)
  return isContainer && workOf(value) > TURN_WORK
}

/** What identityOf writes. */
function* writeSorted(text: BoundedText, value: JsonValue): Turns<void> {
  if (!isLongContainer(value)) yield* writeJsonTo(text, sortedMembers(value))
  else if (isPlainObject(value)) yield* writeMembers(text, value)
  else yield* writeItems(text, value as JsonValue[])
}

function* writeItems(text: BoundedText, items: readonly JsonValue[]): Turns<void> {
  for (let at = 0; at < items.length; ) {
    text.add(at === 0 ? '[' : ',')
    const end = endOfShort(items, at)
    if (end === at) yield* writeSorted(text, items[at++]!)
    else {
      text.add(writeJson(sortedMembers(items.slice(at, end))).slice(1, -1))
      at = end
    }
    if (text.isTurnOver()) yield
  }
  text.add(']')
}

/** Of as many as are written at once. */
function endOfShort(items: readonly JsonValue[], from: number): number {
  let work = 0
  let at = from
  for (; at < items.length; at++) {
    work += 1 + workOf(items[at])
    if (work > TURN_WORK) break
  }
  return at
}

function* writeMembers(text: BoundedText, value: { readonly [name: string]: JsonValue }): Turns<void> {
  const names = Object.keys(value)
  yield
  const places = yield* sortedPlaces(names.length, {
    compare: (one, other) => compareNames(names[one]!, names[other]!),
    workAt: (place) => 2 * names[place]!.length
  })
  for (let at = 0; at < places.length; at++) {
    const name = names[places[at]!]!
    text.add(`${at === 0 ? '{' : ','}${writeJson(name)}:`)
    const member = value[name]!
    if (typeof member === 'object' || typeof member === 'string') yield* writeSorted(text, member)
    else text.add(writeJson(member))
    if (text.isTurnOver()) yield
  }
  text.add('}')
}

/** As JavaScript lists what was put in by the order of its names: places of a list before all others. */
function compareNames(one: string, other: string): number {
  const [first, second] = [placeIn(one), placeIn(other)]
  if (first !== second) return first < second ? -1 : 1
  return one < other ? -1 : one > other ? 1 : 0
}

const LAST_PLACE = 2 ** 32 - 2

function placeIn(name: string): number {
  if (name.length > 10 || !/^(?:0|[1-9]\d*)$/.test(name)) return Number.POSITIVE_INFINITY
  return Number(name) <= LAST_PLACE ? Number(name) : Number.POSITIVE_INFINITY
}
