import type { Turns } from '../in-turns.ts'
import { weigh } from './json-pieces.ts'

/** What a turn may do, in characters that are looked at or what takes as long: below a millisecond. */
export const TURN_WORK = 16 * 1024

/** Counts the work of a long computation, whose items may be of any size, to know when others should have their turn. */
export class WorkMeter {
  #done = 0

  isTurnOver(work: number): boolean {
    this.#done += work
    if (this.#done < TURN_WORK) return false
    this.#done = 0
    return true
  }
}

/** What it takes to look at all of a value, in characters; of one that takes more than a turn, anything beyond that. */
export function workOf(value: unknown): number {
  return typeof value === 'string' ? value.length : weigh(value, TURN_WORK)
}

/**
 * Goes through so many places, each of which takes the same work. A stretch of them is done by a loop of its own: those of
 * generators are slower.
 */
export function* inStretches(
  length: number,
  workPerPlace: number,
  goThrough: (from: number, to: number) => void
): Turns<void> {
  const stretch = Math.max(1, Math.floor(TURN_WORK / workPerPlace))
  for (let from = 0; from < length; from += stretch) {
    if (from > 0) yield
    goThrough(from, Math.min(from + stretch, length))
  }
}

/** What `make` makes of each place, all of which take the same work. */
export function* makeInTurns<Made>(
  length: number,
  workPerPlace: number,
  make: (place: number) => Made
): Turns<Made[]> {
  const made = new Array<Made>(length)
  yield* inStretches(length, workPerPlace, (from, to) => {
    for (let at = from; at < to; at++) made[at] = make(at)
  })
  return made
}
