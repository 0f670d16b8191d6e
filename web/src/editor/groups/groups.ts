import { equalJson } from '../graph/equal-json.ts'
import { type Flow, type Node, type Note, notesOf, type Point, type Size } from '../graph/flow.ts'

/**
 * A group is a note that names nodes: a titled frame around them that is moved, copied and removed with them. The frame
 * is where its nodes are, so nothing that moves a node has to know of it.
 */
export type Group = Note & { readonly nodes: readonly string[] }

export interface Frame extends Point, Size {}

/** Room between the nodes and the frame: above them for the title, below them for what a run says. */
const ROOM = { side: 24, above: 56, below: 40 } as const

/** A note whose nodes are all gone is a note again: it must not vanish with what somebody wrote. */
export function groupsIn(flow: Flow): Group[] {
  const notes = notesOf(flow).filter((note): note is Group => note.nodes !== undefined)
  if (notes.length === 0) return []
  const present = new Set(flow.nodes.map(({ id }) => id))
  return notes.filter(({ nodes }) => nodes.some((id) => present.has(id)))
}

export function findGroup(flow: Flow, id: string): Group | undefined {
  return groupsIn(flow).find((group) => group.id === id)
}

/** The ids, and the nodes of the groups among them. */
export function withMembers(flow: Flow, ids: ReadonlySet<string>): ReadonlySet<string> {
  const members = groupsIn(flow).flatMap(({ id, nodes }) => (ids.has(id) ? nodes : []))
  if (members.length === 0) return ids
  const present = new Set(flow.nodes.map(({ id }) => id))
  return new Set([...ids, ...members.filter((id) => present.has(id))])
}

export function frameAround(boxes: readonly Frame[]): Frame {
  const { x, y } = cornerOf(boxes)
  const right = Math.max(...boxes.map((box) => box.x + box.width)) + ROOM.side
  const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + ROOM.below
  return { x, y, width: right - x, height: bottom - y }
}

/** Where the frame begins; the sizes of nodes are not needed for it. */
function cornerOf(places: readonly Point[]): Point {
  return {
    x: Math.min(...places.map(({ x }) => x)) - ROOM.side,
    y: Math.min(...places.map(({ y }) => y)) - ROOM.above
  }
}

/** Where all parts go when some are moved: a group takes its nodes along, except those that go somewhere themselves. */
export function withGroupMoves(
  flow: Flow,
  positions: Readonly<Record<string, Point>>
): Readonly<Record<string, Point>> {
  const groups = groupsIn(flow).filter(({ id }) => Object.hasOwn(positions, id))
  if (groups.length === 0) return positions
  const moved = new Map<string, Point>()
  for (const group of groups) {
    const members = nodesOf(flow, group)
    const corner = cornerOf(members.map(({ position }) => position))
    const to = positions[group.id]!
    const shift = { x: to.x - corner.x, y: to.y - corner.y }
    for (const { id, position } of members) {
      if (!moved.has(id)) moved.set(id, { x: position.x + shift.x, y: position.y + shift.y })
    }
  }
  return { ...Object.fromEntries(moved), ...positions }
}

/** Groups say where their frames are, for readers of the document that do not work it out. */
export function placeGroups(flow: Flow): Flow {
  const groups = new Map(groupsIn(flow).map((group) => [group.id, group]))
  if (groups.size === 0) return flow
  const notes = notesOf(flow).map((note) => {
    const group = groups.get(note.id)
    if (group === undefined) return note
    const position = cornerOf(nodesOf(flow, group).map((node) => node.position))
    return equalJson(position, note.position) ? note : { ...note, position }
  })
  return notes.every((note, index) => note === flow.notes![index]) ? flow : { ...flow, notes }
}

export function nodesOf(flow: Flow, { nodes }: Group): Node[] {
  const meant = new Set(nodes)
  return flow.nodes.filter(({ id }) => meant.has(id))
}

/** A note without some of its nodes; the same one where it names none of them. */
export function withoutNodes(note: Note, isOut: (node: string) => boolean): Note {
  if (note.nodes === undefined || !note.nodes.some(isOut)) return note
  return { ...note, nodes: note.nodes.filter((node) => !isOut(node)) }
}

export function isEmptied({ nodes }: Note): boolean {
  return nodes !== undefined && nodes.length === 0
}
