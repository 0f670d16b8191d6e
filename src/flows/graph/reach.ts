import type { Turns } from '../in-turns.ts'
import type { Link } from './graph.ts'

/** Whether one node leads to another. */
export type Reach = (from: string, to: string) => boolean

const BITS = 32
/** Words that are joined before others have their turn. */
const WORDS_AT_ONCE = 200_000

/**
 * Which of a few nodes lead to which of all. `order`: so that every link points forward. Each node has a bit for each of those
 * that are asked about, and takes those of all that lead to it.
 */
export function* reachOf(
  order: readonly string[],
  links: readonly Link[],
  asked: Iterable<string>
): Turns<Reach> {
  const places = new Map([...new Set(asked)].map((id, place) => [id, place]))
  const words = Math.ceil(places.size / BITS)
  const rows = new Map<string, Uint32Array>()
  const linksTo = Map.groupBy(links, ({ toNode }) => toNode)
  let done = 0
  for (const id of order) {
    const row = new Uint32Array(words)
    for (const { fromNode } of linksTo.get(id) ?? []) {
      const before = rows.get(fromNode)
      if (before !== undefined) join(row, before)
      const place = places.get(fromNode)
      if (place !== undefined) row[place >>> 5]! |= 1 << (place & 31)
      done += words + 1
    }
    rows.set(id, row)
    if (done < WORDS_AT_ONCE) continue
    done = 0
    yield
  }
  return (from, to) => {
    const place = places.get(from)
    const row = rows.get(to)
    return place !== undefined && row !== undefined && (row[place >>> 5]! & (1 << (place & 31))) !== 0
  }
}

function join(row: Uint32Array, more: Uint32Array): void {
  for (let at = 0; at < row.length; at++) row[at]! |= more[at]!
}
