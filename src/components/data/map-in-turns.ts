import type { Turns } from '../../plugin-api.ts'

/** Items that are computed before others have their turn: of the slowest kind, a date in a time zone, some milliseconds. */
const ITEMS_PER_TURN = 50

/** As `map`, and lets others have their turn in between: a list may hold a hundred thousand items. */
export function* mapInTurns<Item, Made>(
  items: readonly Item[],
  compute: (item: Item, index: number) => Made
): Turns<Made[]> {
  const made: Made[] = []
  for (let start = 0; start < items.length; start += ITEMS_PER_TURN) {
    if (start > 0) yield
    const end = Math.min(start + ITEMS_PER_TURN, items.length)
    for (let at = start; at < end; at++) made.push(compute(items[at]!, at))
  }
  return made
}
