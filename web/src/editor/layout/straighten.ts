import type { Point } from '../graph/flow.ts'
import { GAPS, type Item, type Wire } from './item.ts'

/** Items whose heights to each other are fixed, because the wires between them are straight then. */
interface Chain {
  /** By item, from the first one's upper edge. */
  readonly offsets: Map<string, number>
}

/**
 * Puts items that are wired one after the other at heights at which the wires between them are straight. Where that
 * would lay one on another, the lower one gives way, with all of its chain.
 */
export function straighten(
  items: readonly Item[],
  wires: readonly Wire[],
  places: ReadonlyMap<string, Point>
): Map<string, Point> {
  const columns = columnsOf(items, places)
  const chains = withoutKnots(chainsOf(items, wires), columns)
  const tops = giveWay(chains, columns, (chain) => wishOf(chain, places))
  return new Map(items.map(({ id }) => [id, { x: places.get(id)!.x, y: tops.get(id)! }]))
}

/** A wire that is the only one from its source and the only one to its target leads on in a chain. */
function chainsOf(items: readonly Item[], wires: readonly Wire[]): Chain[] {
  const byId = new Map(items.map((item) => [item.id, item]))
  const after = neighbours(wires, 'source', 'target')
  const before = neighbours(wires, 'target', 'source')
  const next = (id: string) => {
    const [only, ...others] = after.get(id) ?? []
    return only !== undefined && others.length === 0 && before.get(only)!.size === 1 ? only : undefined
  }
  const isLed = new Set(items.flatMap(({ id }) => next(id) ?? []))
  const isTaken = new Set<string>()
  const chainFrom = (first: string): Chain => {
    const offsets = new Map([[first, 0]])
    isTaken.add(first)
    for (let one = first; ; ) {
      const other = next(one)
      if (other === undefined || isTaken.has(other)) return { offsets }
      offsets.set(other, offsets.get(one)! + dropBetween(byId.get(one)!, byId.get(other)!, wires))
      isTaken.add(other)
      one = other
    }
  }
  const heads = items.filter(({ id }) => !isLed.has(id)).map(({ id }) => chainFrom(id))
  // A ring has no first item: then the first of the document is.
  const rings = items.flatMap(({ id }) => (isTaken.has(id) ? [] : chainFrom(id)))
  return [...heads, ...rings]
}

/** How much lower the second item has to be for the wires to be straight; of several wires, the first. */
function dropBetween(one: Item, other: Item, wires: readonly Wire[]): number {
  const wire = wires.find(({ source, target }) => source === one.id && target === other.id)!
  return one.portAt('output', wire.from) - other.portAt('input', wire.to)
}

function neighbours(
  wires: readonly Wire[],
  from: 'source' | 'target',
  to: 'source' | 'target'
): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const wire of wires) found.set(wire[from], (found.get(wire[from]) ?? new Set()).add(wire[to]))
  return found
}

/** The items in columns, from top to bottom. */
function columnsOf(items: readonly Item[], places: ReadonlyMap<string, Point>): Item[][] {
  const middle = ({ id, width }: Item) => Math.round(places.get(id)!.x + width / 2)
  const columns = [...Map.groupBy(items, middle).values()]
  return columns.map((column) =>
    column.toSorted((one, other) => places.get(one.id)!.y - places.get(other.id)!.y)
  )
}

/**
 * Two chains may each be above the other, in different columns: they cross. Then those of a knot fall apart into single
 * items, which can always give way to each other.
 */
function withoutKnots(chains: readonly Chain[], columns: readonly (readonly Item[])[]): Chain[] {
  const { rest } = inOrder(chains, columns)
  if (rest.length === 0) return [...chains]
  const knotted = new Set(rest)
  return chains.flatMap((chain) =>
    knotted.has(chain) ? [...chain.offsets.keys()].map((id) => ({ offsets: new Map([[id, 0]]) })) : [chain]
  )
}

/** Each chain after all that are above it in some column; `rest` are those that have no such order. */
function inOrder(chains: readonly Chain[], columns: readonly (readonly Item[])[]) {
  const chainOf = new Map(chains.flatMap((chain) => [...chain.offsets.keys()].map((id) => [id, chain])))
  const above = new Map<Chain, Set<Chain>>(chains.map((chain) => [chain, new Set()]))
  for (const column of columns) {
    for (const [index, { id }] of column.slice(1).entries()) {
      above.get(chainOf.get(id)!)!.add(chainOf.get(column[index]!.id)!)
    }
  }
  const sorted: Chain[] = []
  const done = new Set<Chain>()
  let rest = [...chains]
  while (true) {
    const free = rest.filter((chain) => [...above.get(chain)!].every((other) => done.has(other)))
    if (free.length === 0) return { sorted, rest }
    for (const chain of free) done.add(chain)
    sorted.push(...free)
    rest = rest.filter((chain) => !done.has(chain))
  }
}

/** The upper edge of each item: where its chain wishes to be, or below what is above it. */
function giveWay(
  chains: readonly Chain[],
  columns: readonly (readonly Item[])[],
  wish: (chain: Chain) => number
): Map<string, number> {
  const above = new Map(
    columns.flatMap((column) => column.slice(1).map(({ id }, index) => [id, column[index]!]))
  )
  const tops = new Map<string, number>()
  for (const chain of inOrder(chains, columns).sorted) {
    const least = [...chain.offsets].map(([id, offset]) => {
      const upper = above.get(id)
      return upper === undefined ? -Infinity : tops.get(upper.id)! + upper.height + GAPS.rows - offset
    })
    const top = Math.max(wish(chain), ...least)
    for (const [id, offset] of chain.offsets) tops.set(id, top + offset)
  }
  return tops
}

/** Where its first item would be if its items were where they are, on average. */
function wishOf({ offsets }: Chain, places: ReadonlyMap<string, Point>): number {
  const tops = [...offsets].map(([id, offset]) => places.get(id)!.y - offset)
  return Math.round(tops.reduce((sum, top) => sum + top, 0) / tops.length)
}
