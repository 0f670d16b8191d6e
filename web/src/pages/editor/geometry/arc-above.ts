import type { Point } from '../../../editor/graph/flow.ts'

/** How far an arc rises at least, and at most. */
const LEAST = 28
const MOST = 110

/** A line from the top of one part to that of another which passes above both, and above what stands in a row with them. */
export function arcAbove(from: Point, to: Point): string {
  const rise = Math.min(LEAST + Math.abs(to.x - from.x) / 8, MOST)
  const top = Math.min(from.y, to.y) - rise
  return `M${from.x},${from.y} C${from.x},${top} ${to.x},${top} ${to.x},${to.y}`
}
