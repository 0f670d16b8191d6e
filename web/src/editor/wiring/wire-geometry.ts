import type { Edge, Point } from '../graph/flow.ts'

export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A wire as it is drawn: from the right side of a node to the left side of another. */
export interface DrawnWire {
  readonly edge: Edge
  readonly from: Point
  readonly to: Point
}

/** As the canvas bends its wires (React Flow's default). */
const CURVATURE = 0.25

/** Points on a curve; at the widths that nodes have, the straight pieces between them miss nothing. */
const PIECES = 24

/** The wire that a rectangle lies on: of those that cross it, the one nearest to its middle. */
export function wireUnder(rectangle: Rectangle, wires: readonly DrawnWire[]): DrawnWire | undefined {
  let best: DrawnWire | undefined
  let least = Number.POSITIVE_INFINITY
  for (const wire of wires) {
    if (!mayCross(rectangle, wire)) continue
    const distance = distanceInside(rectangle, curveOf(wire))
    if (distance < least) {
      least = distance
      best = wire
    }
  }
  return best
}

/** A cubic Bézier curve, as a row of points. */
export function curveOf({ from, to }: Pick<DrawnWire, 'from' | 'to'>): Point[] {
  const [first, second] = controlsOf(from, to)
  return Array.from({ length: PIECES + 1 }, (_, index) => {
    const t = index / PIECES
    const [a, b, c, d] = [(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t ** 2, t ** 3]
    return {
      x: a * from.x + b * first + c * second + d * to.x,
      y: (a + b) * from.y + (c + d) * to.y
    }
  })
}

/** The x of the two control points; their y is that of the ends. */
function controlsOf(from: Point, to: Point): [number, number] {
  const distance = to.x - from.x
  const offset = distance >= 0 ? 0.5 * distance : CURVATURE * 25 * Math.sqrt(-distance)
  return [from.x + offset, to.x - offset]
}

/** A curve stays within the box of its four points. */
function mayCross({ x, y, width, height }: Rectangle, { from, to }: DrawnWire): boolean {
  const controls = controlsOf(from, to)
  const left = Math.min(from.x, to.x, ...controls)
  const right = Math.max(from.x, to.x, ...controls)
  return (
    left <= x + width && right >= x && Math.min(from.y, to.y) <= y + height && Math.max(from.y, to.y) >= y
  )
}

/** How near the curve comes to the middle; infinite where it does not cross the rectangle. */
function distanceInside(rectangle: Rectangle, curve: readonly Point[]): number {
  const middle = { x: rectangle.x + rectangle.width / 2, y: rectangle.y + rectangle.height / 2 }
  let least = Number.POSITIVE_INFINITY
  for (let index = 1; index < curve.length; index++) {
    const inside = clip(curve[index - 1]!, curve[index]!, rectangle)
    if (inside !== undefined) least = Math.min(least, distanceTo(middle, ...inside))
  }
  return least
}

/** The part of a straight piece that lies in the rectangle (Liang and Barsky). */
function clip(start: Point, end: Point, { x, y, width, height }: Rectangle): [Point, Point] | undefined {
  const [dx, dy] = [end.x - start.x, end.y - start.y]
  let [enters, leaves] = [0, 1]
  const sides: [slope: number, room: number][] = [
    [-dx, start.x - x],
    [dx, x + width - start.x],
    [-dy, start.y - y],
    [dy, y + height - start.y]
  ]
  for (const [slope, room] of sides) {
    if (slope === 0 && room < 0) return undefined
    if (slope < 0) enters = Math.max(enters, room / slope)
    if (slope > 0) leaves = Math.min(leaves, room / slope)
  }
  const at = (t: number) => ({ x: start.x + t * dx, y: start.y + t * dy })
  return enters > leaves ? undefined : [at(enters), at(leaves)]
}

function distanceTo(point: Point, start: Point, end: Point): number {
  const [dx, dy] = [end.x - start.x, end.y - start.y]
  const length = dx * dx + dy * dy
  const t = length === 0 ? 0 : ((point.x - start.x) * dx + (point.y - start.y) * dy) / length
  const along = Math.min(1, Math.max(0, t))
  return Math.hypot(start.x + along * dx - point.x, start.y + along * dy - point.y)
}
