import type { Node, Note, Point, Size } from '../graph/flow.ts'

/** A note further away than this from every node belongs to none of them. */
const FAR = 320

/** Notes stay where they are beside the node that is next to them: they go as far as it goes. */
export function notesThatFollow(
  nodes: readonly Node[],
  notes: readonly Note[],
  places: ReadonlyMap<string, Point>,
  sizeOf: (id: string) => Size
): Map<string, Point> {
  const boxes = nodes.map(({ id, position }) => ({ id, ...position, ...sizeOf(id) }))
  const followed = notes.flatMap((note): [string, Point][] => {
    const box = { ...note.position, ...(note.size ?? sizeOf(note.id)) }
    const [next] = boxes
      .map((other) => ({ other, distance: distanceBetween(box, other) }))
      .sort((one, other) => one.distance - other.distance)
    if (next === undefined || next.distance > FAR) return []
    const to = places.get(next.other.id)!
    return [[note.id, { x: note.position.x + to.x - next.other.x, y: note.position.y + to.y - next.other.y }]]
  })
  return new Map(followed)
}

type Box = Point & Size

/** Zero where they lie on each other. */
function distanceBetween(one: Box, other: Box): number {
  const apart = (start: number, length: number, otherStart: number, otherLength: number) =>
    Math.max(0, otherStart - (start + length), start - (otherStart + otherLength))
  return Math.hypot(
    apart(one.x, one.width, other.x, other.width),
    apart(one.y, one.height, other.y, other.height)
  )
}
