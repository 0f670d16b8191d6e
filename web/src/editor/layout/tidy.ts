import type { Command } from '../commands/command.ts'
import { type Flow, type Node, notesOf, type Point, type Size } from '../graph/flow.ts'
import { groupsIn, withMembers } from '../groups/groups.ts'
import { withInside } from '../regions/regions.ts'
import { layOutNodes, type Measures, USUAL_SIZE } from './lay-out-nodes.ts'
import { notesThatFollow } from './notes-that-follow.ts'
import { type Box, uncoverNotes } from './uncover-notes.ts'

export type { Measures } from './lay-out-nodes.ts'

/**
 * Lays a flow out in columns from left to right, as few wires crossing as can be, and wires along a chain straight. The
 * upper left corner of what is laid out stays where it is, so the canvas does not jump. A group is laid out by itself and
 * then stands among the others as one, and so does a region, whose frame becomes as large as it has to be; a note stays where it is beside the node next to it. To tidy what is tidy changes
 * nothing.
 */
export function tidy(flow: Flow, measures: Measures, only?: ReadonlySet<string>): Command {
  const chosen = only === undefined ? undefined : withInside(flow, withMembers(flow, only))
  const meant = flow.nodes.filter(({ id }) => chosen === undefined || chosen.has(id))
  if (meant.length === 0) return { kind: 'move', positions: {}, by: 'tidy' }
  const { corners, sizes } = layOutNodes(flow, new Set(meant.map(({ id }) => id)), measures)
  const nodes = meant.filter(({ id }) => corners.has(id))
  const before = cornerOf(nodes.map(({ position }) => position))
  const after = cornerOf([...corners.values()])
  const places = new Map(
    [...corners].map(([id, { x, y }]): [string, Point] => [
      id,
      { x: Math.round(x - after.x + before.x), y: Math.round(y - after.y + before.y) }
    ])
  )
  const groups = new Set(groupsIn(flow).map(({ id }) => id))
  const notes = notesOf(flow).filter(({ id }) => !groups.has(id))
  const sizeOf = (id: string) => measures.sizes.get(id) ?? USUAL_SIZE
  for (const [id, place] of notesThatFollow(nodes, notes, places, sizeOf)) places.set(id, place)
  const boxAt = (id: string, at: Point, size: Size): Box => ({ ...(places.get(id) ?? at), ...size })
  const sizeAfter = ({ id }: Node) => sizes.get(id) ?? sizeOf(id)
  const uncovered = uncoverNotes(
    notes.map(({ id, position, size = sizeOf(id) }) => ({
      id,
      before: { ...position, ...size },
      after: boxAt(id, position, size)
    })),
    flow.nodes.map(({ id, position }) => ({ ...position, ...sizeOf(id) })),
    flow.nodes.map((node) => boxAt(node.id, node.position, sizeAfter(node)))
  )
  for (const [id, place] of uncovered) places.set(id, place)
  const move: Command = { kind: 'move', positions: Object.fromEntries(places), by: 'tidy' }
  if (sizes.size === 0) return move
  const resized = [...sizes].map(
    ([node, size]): Command => ({ kind: 'change-node', node, changes: { size } })
  )
  return { kind: 'all', commands: [move, ...resized], label: 'Tidy' }
}

function cornerOf(points: readonly Point[]): Point {
  return { x: Math.min(...points.map(({ x }) => x)), y: Math.min(...points.map(({ y }) => y)) }
}
