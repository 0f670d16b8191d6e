import { parseEnd } from '../../../../src/flows/graph.ts'
import type { Command } from '../commands/command.ts'
import { type Flow, nodeOfEnd, notesOf, type Point, type Size, type Sizes } from '../graph/flow.ts'
import { frameAround, groupsIn, nodesOf, withMembers } from '../groups/groups.ts'
import type { Item, Wire } from './item.ts'
import { layOut } from './lay-out.ts'
import { notesThatFollow } from './notes-that-follow.ts'

/** For nodes that the canvas has not measured yet. */
const USUAL_SIZE: Size = { width: 280, height: 160 }

export interface Measures {
  readonly sizes: Sizes
  /** How far below the upper edge of its node a port is; the middle of the node where nobody can tell. */
  readonly portAt?: (node: string, side: 'input' | 'output', port: string) => number | undefined
}

/**
 * Lays a flow out in columns from left to right, as few wires crossing as can be, and wires along a chain straight. The
 * upper left corner of what is laid out stays where it is, so the canvas does not jump. A group is laid out by itself and
 * then stands among the others as one; a note stays where it is beside the node next to it. To tidy what is tidy changes
 * nothing.
 */
export function tidy(flow: Flow, measures: Measures, only?: ReadonlySet<string>): Command {
  const chosen = only === undefined ? undefined : withMembers(flow, only)
  const nodes = flow.nodes.filter(({ id }) => chosen === undefined || chosen.has(id))
  if (nodes.length === 0) return { kind: 'move', positions: {}, by: 'tidy' }
  const corners = layOutNodes(flow, new Set(nodes.map(({ id }) => id)), measures)
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
  return { kind: 'move', positions: Object.fromEntries(places), by: 'tidy' }
}

/** Where the nodes go: groups inside first, then all that is left with each group as one. */
function layOutNodes(flow: Flow, chosen: ReadonlySet<string>, measures: Measures): Map<string, Point> {
  const items = new Map<string, Item>()
  const insides = new Map<string, Inside>()
  const itemOf = new Map<string, string>()
  for (const { id } of flow.nodes) if (chosen.has(id)) items.set(id, nodeItem(id, measures))
  for (const group of groupsIn(flow)) {
    const members = nodesOf(flow, group).map(({ id }) => id)
    // One that is laid out in part only, or shares a node with another one, is drawn around whatever comes of it.
    if (members.some((id) => !items.has(id))) continue
    const within = members.map((id) => items.get(id)!)
    const inside = insideOf(
      within,
      layOut(
        within,
        wiresAmong(flow, (end) => (members.includes(end) ? end : undefined))
      )
    )
    insides.set(group.id, inside)
    for (const id of members) {
      items.delete(id)
      itemOf.set(id, group.id)
    }
    items.set(group.id, groupItem(group.id, inside, measures))
  }
  const inOrder = [...items.values()]
  const all = layOut(
    inOrder,
    wiresAmong(flow, (node) => itemOf.get(node) ?? (items.has(node) ? node : undefined))
  )
  const corners = new Map<string, Point>()
  for (const { id } of inOrder) {
    const at = all.get(id)!
    const inside = insides.get(id)
    if (inside === undefined) corners.set(id, at)
    else
      for (const [node, offset] of inside.offsets)
        corners.set(node, { x: at.x + offset.x, y: at.y + offset.y })
  }
  return corners
}

interface Inside extends Size {
  /** Of its nodes, from the corner of the frame. */
  readonly offsets: ReadonlyMap<string, Point>
}

function insideOf(items: readonly Item[], places: ReadonlyMap<string, Point>): Inside {
  const frame = frameAround(items.map(({ id, width, height }) => ({ ...places.get(id)!, width, height })))
  const offsets = new Map([...places].map(([id, { x, y }]) => [id, { x: x - frame.x, y: y - frame.y }]))
  return { width: frame.width, height: frame.height, offsets }
}

function nodeItem(id: string, { sizes, portAt }: Measures): Item {
  const size = sizes.get(id) ?? USUAL_SIZE
  return { id, ...size, portAt: (side, end) => portOf(end, side, portAt) ?? size.height / 2 }
}

function groupItem(id: string, { width, height, offsets }: Inside, measures: Measures): Item {
  return {
    id,
    width,
    height,
    portAt: (side, end) => {
      const node = nodeOfEnd(end)
      return (offsets.get(node)?.y ?? 0) + nodeItem(node, measures).portAt(side, end)
    }
  }
}

function portOf(text: string, side: 'input' | 'output', portAt: Measures['portAt']): number | undefined {
  const end = parseEnd(text)
  return end === undefined ? undefined : portAt?.(end.node, side, end.port)
}

/** The wires between items; those within one, and to what is not laid out, are none. */
function wiresAmong({ edges }: Flow, itemOf: (node: string) => string | undefined): Wire[] {
  return edges.flatMap((edge) => {
    const [source, target] = [itemOf(nodeOfEnd(edge.from)), itemOf(nodeOfEnd(edge.to))]
    return source === undefined || target === undefined || source === target
      ? []
      : [{ ...edge, source, target }]
  })
}

function cornerOf(points: readonly Point[]): Point {
  return { x: Math.min(...points.map(({ x }) => x)), y: Math.min(...points.map(({ y }) => y)) }
}
