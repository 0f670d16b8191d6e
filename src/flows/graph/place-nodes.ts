import type { Turns } from '../in-turns.ts'
import { type Link, linksOf, topologicalOrder } from './graph.ts'
import { linksOutside, parentsOf, regionsOf } from './regions.ts'

/**
 * Where nodes stand that say nothing of it, as programs send them: in columns by the wires, so that nobody opens a flow
 * whose nodes lie on one another. Not as fine as what the editor tidies, which knows how large they are.
 */

interface Point {
  readonly x: number
  readonly y: number
}

interface Placed {
  readonly id: string
  readonly parent?: string | undefined
}

interface Edge {
  readonly from: string
  readonly to: string
}

interface Size {
  readonly width: number
  readonly height: number
}

/** About as large as a node with a few ports is drawn. */
const NODE: Size = { width: 240, height: 130 }
const GAP = { x: 100, y: 40 }
/** Of a frame around what stands in it. */
const ROOM = { left: 120, right: 120, above: 100, below: 40 }

/** In turns: the largest flow takes a fifth of a second. */
export function* placeInTurns(
  nodes: readonly Placed[],
  edges: readonly Edge[]
): Turns<ReadonlyMap<string, Point>> {
  const wires = linksOf(edges)
  yield
  const parents = parentsOf(nodes)
  const places = new Map<string, Point>()
  const sizes = new Map<string, Size>()
  for (const { node, inside, wiresInside } of regionsOf(nodes, wires).values()) {
    const { width, height } = yield* layOut(inside, wiresInside, sizes, places)
    sizes.set(node, {
      width: ROOM.left + width + ROOM.right,
      height: ROOM.above + height + ROOM.below
    })
  }
  const outside = nodes.flatMap(({ id }) => (parents.has(id) ? [] : [id]))
  yield* layOut(outside, linksOutside(parents, wires), sizes, places)
  for (const [id, parent] of parents) places.set(id, within(places.get(parent)!, places.get(id)!))
  return places
}

function within(frame: Point, place: Point): Point {
  return { x: frame.x + ROOM.left + place.x, y: frame.y + ROOM.above + place.y }
}

/**
 * Each in the column behind those that lead to it; below one another in the order of the document. Where wires pass a
 * column by, it begins below them.
 */
function* layOut(
  ids: readonly string[],
  links: readonly Link[],
  sizes: ReadonlyMap<string, Size>,
  places: Map<string, Point>
): Turns<Size> {
  yield
  const columns = yield* columnsOf(ids, links)
  yield
  const passed = passedColumns(columns, links)
  yield
  let x = 0
  let height = 0
  for (const [index, column] of columns.entries()) {
    let y = passed.has(index) ? NODE.height + GAP.y : 0
    let width = 0
    for (const id of column) {
      const size = sizes.get(id) ?? NODE
      places.set(id, { x, y })
      y += size.height + GAP.y
      width = Math.max(width, size.width)
    }
    x += width + GAP.x
    height = Math.max(height, y - GAP.y)
  }
  return { width: x - GAP.x, height }
}

function passedColumns(columns: readonly string[][], links: readonly Link[]): ReadonlySet<number> {
  const columnOf = new Map(columns.flatMap((column, index) => column.map((id) => [id, index] as const)))
  // By column, how many wires begin to pass there, less those that end: each may pass by all of them.
  const begins = new Array<number>(columns.length + 1).fill(0)
  for (const { fromNode, toNode } of links) {
    const [from, to] = [columnOf.get(fromNode), columnOf.get(toNode)]
    if (from === undefined || to === undefined || to <= from) continue
    begins[from + 1]!++
    begins[to]!--
  }
  const passed = new Set<number>()
  let passing = 0
  for (const [index, change] of begins.entries()) {
    passing += change
    if (passing > 0) passed.add(index)
  }
  return passed
}

function* columnsOf(named: readonly string[], links: readonly Link[]): Turns<string[][]> {
  // Two nodes may have one id still: that is told later.
  const own = new Set(named)
  const ids = [...own]
  const among = links.filter(({ fromNode, toNode }) => own.has(fromNode) && own.has(toNode))
  yield
  const behind = Map.groupBy(among, ({ fromNode }) => fromNode)
  yield
  const depths = new Map(ids.map((id) => [id, 0]))
  // In a ring nothing comes first: the document is refused later, and until then all of it stands in one column.
  const { sorted = [] } = topologicalOrder(ids, among)
  yield
  for (const id of sorted) {
    for (const { toNode } of behind.get(id) ?? []) {
      depths.set(toNode, Math.max(depths.get(toNode)!, depths.get(id)! + 1))
    }
  }
  const columns = Map.groupBy(ids, (id) => depths.get(id)!)
  return [...columns.keys()].sort((one, other) => one - other).map((depth) => columns.get(depth)!)
}
