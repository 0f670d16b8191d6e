import { type Flow, notesOf, type Point, type Size, type Sizes } from '../../../editor/graph/flow.ts'
import { GRID, NODE_WIDTH, noteSize, snapped } from '../geometry/node-geometry.ts'

const MARGIN = GRID
const STEP = 3 * GRID
const FURTHEST = 60

/** Near the wished place, but not exactly upon something else: two nodes in one place look like one. */
export function freePlace(flow: Flow, wished: Point): Point {
  const taken = [...flow.nodes, ...notesOf(flow)].map(({ position }) => position)
  let place = snapped(wished)
  const isTaken = ({ x, y }: Point) =>
    taken.some((other) => Math.abs(other.x - x) < GRID && Math.abs(other.y - y) < GRID)
  while (isTaken(place)) place = { x: place.x + 2 * GRID, y: place.y + 2 * GRID }
  return place
}

/** The place nearest to the wished one where something of this size covers nothing. */
export function openPlace(flow: Flow, sizes: Sizes, wished: Point, size: Size): Point {
  const boxes = [
    ...flow.nodes.map(({ id, position }) => ({
      ...position,
      ...(sizes.get(id) ?? { width: NODE_WIDTH, height: 64 })
    })),
    ...notesOf(flow).map((note) => ({ ...note.position, ...noteSize(note) }))
  ]
  const isFree = ({ x, y }: Point) =>
    boxes.every(
      (box) =>
        x + size.width + MARGIN <= box.x ||
        box.x + box.width + MARGIN <= x ||
        y + size.height + MARGIN <= box.y ||
        box.y + box.height + MARGIN <= y
    )
  const start = snapped(wished)
  for (let ring = 0; ring <= FURTHEST; ring++) {
    const found = ringAround(start, ring).find(isFree)
    if (found !== undefined) return found
  }
  return freePlace(flow, wished)
}

/** Places around a point, below and beside it first: flows grow downwards and to the right. */
function ringAround({ x, y }: Point, ring: number): Point[] {
  if (ring === 0) return [{ x, y }]
  const distance = ring * STEP
  const along = Array.from({ length: 2 * ring + 1 }, (_, index) => (index - ring) * STEP).sort(
    (one, other) => Math.abs(one) - Math.abs(other)
  )
  return [
    ...along.map((offset) => ({ x: x + offset, y: y + distance })),
    ...along.map((offset) => ({ x: x + distance, y: y + offset })),
    ...along.map((offset) => ({ x: x + offset, y: y - distance })),
    ...along.map((offset) => ({ x: x - distance, y: y + offset }))
  ]
}
