import type { Point, Size } from '../graph/flow.ts'

export type Box = Point & Size

interface PlacedNote {
  readonly id: string
  readonly before: Box
  readonly after: Box
}

const STEP = 16
/** So many steps up or down: beyond that a note would be looked for in vain. */
const FURTHEST = 400

/**
 * Where notes go that nodes have come to lie on: up or down, whichever is nearer, until nothing is on them. A note that
 * nodes lay on before is meant as their background, and stays.
 */
export function uncoverNotes(
  notes: readonly PlacedNote[],
  nodesBefore: readonly Box[],
  nodesAfter: readonly Box[]
): Map<string, Point> {
  const moved = notes.flatMap(({ id, before, after }): [string, Point][] => {
    const isFree = (y: number) => !nodesAfter.some((node) => isOn(node, { ...after, y }))
    if (isFree(after.y) || nodesBefore.some((node) => isOn(node, before))) return []
    for (let step = 1; step <= FURTHEST; step++) {
      const y = [after.y - step * STEP, after.y + step * STEP].find(isFree)
      if (y !== undefined) return [[id, { x: after.x, y }]]
    }
    return []
  })
  return new Map(moved)
}

function isOn(one: Box, other: Box): boolean {
  const isBeside = one.x + one.width <= other.x || other.x + other.width <= one.x
  return !isBeside && one.y < other.y + other.height && other.y < one.y + one.height
}
