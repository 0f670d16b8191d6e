import type { Command } from '../commands/command.ts'
import { type Flow, type Note, notesOf, takenIds } from '../graph/flow.ts'
import { freeId } from '../graph/free-ids.ts'
import { groupsIn, isEmptied, withMembers, withoutNodes } from './groups.ts'

interface Grouping {
  /** The id that the new group gets. */
  readonly id: string
  readonly command: Command
}

/**
 * One group around the chosen nodes, those of chosen groups included. A node is in one group: it leaves the one that it
 * was in, and a group that nothing is left of goes. Undefined where no node is chosen.
 */
export function groupNodes(flow: Flow, chosen: ReadonlySet<string>): Grouping | undefined {
  const all = withMembers(flow, chosen)
  const nodes = flow.nodes.filter(({ id }) => all.has(id)).map(({ id }) => id)
  if (nodes.length === 0) return undefined
  const id = freeId('group', takenIds(flow))
  const note: Note = { id, text: '', position: { x: 0, y: 0 }, nodes }
  const insert: Command = { kind: 'insert', fragment: { nodes: [], edges: [], notes: [note] } }
  const label = nodes.length === 1 ? 'Group a node' : `Group ${nodes.length} nodes`
  return { id, command: { kind: 'all', commands: [...leaveGroups(flow, new Set(nodes)), insert], label } }
}

/** The chosen groups, and those that chosen nodes are in, without their nodes. Undefined where there are none. */
export function ungroup(flow: Flow, chosen: ReadonlySet<string>): Command | undefined {
  const groups = groupsIn(flow).filter(
    ({ id, nodes }) => chosen.has(id) || nodes.some((node) => chosen.has(node))
  )
  if (groups.length === 0) return undefined
  const remove: Command = { kind: 'remove', ids: groups.map(({ id }) => id) }
  return {
    kind: 'all',
    commands: [remove],
    label: groups.length === 1 ? 'Ungroup' : `Ungroup ${groups.length} groups`
  }
}

function leaveGroups(flow: Flow, nodes: ReadonlySet<string>): Command[] {
  return notesOf(flow).flatMap((note): Command[] => {
    const left = withoutNodes(note, (node) => nodes.has(node))
    if (left === note) return []
    if (isEmptied(left)) return [{ kind: 'remove', ids: [note.id] }]
    return [{ kind: 'change-note', note: note.id, changes: { nodes: left.nodes! } }]
  })
}
