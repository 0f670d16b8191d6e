import { TURN_WORK, type Turns } from '../../plugin-api.ts'

/** What an item takes whatever is in it, in characters: of the slowest kind, a date in a time zone, fifty take some milliseconds. */
export const WORK_PER_ITEM = 320

/**
 * As `map`, and lets others have their turn in between: a list may hold a hundred thousand items, and each may be large. `workOf` says
 * what an item takes, in characters.
 */
export function* mapInTurns<Item, Made>(
  items: readonly Item[],
  compute: (item: Item, index: number) => Made,
  workOf: (item: Item) => number
): Turns<Made[]> {
  const made: Made[] = []
  while (made.length < items.length) {
    if (made.length > 0) yield
    for (let at = made.length, work = 0; at < items.length && work < TURN_WORK; at++) {
      made.push(compute(items[at]!, at))
      work += workOf(items[at]!)
    }
  }
  return made
}
