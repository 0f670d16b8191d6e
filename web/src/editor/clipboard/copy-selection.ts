import type { Fragment } from '../commands/command.ts'
import { type Flow, notesOf, touches } from '../graph/flow.ts'
import { writeFlow } from '../graph/saved-flow.ts'
import { withoutNodes } from '../groups/groups.ts'
import { withoutParent } from '../regions/regions.ts'

/** The chosen nodes and notes with the edges among them, in the order of the document. */
export function fragmentOf(flow: Flow, ids: ReadonlySet<string>): Fragment {
  return {
    nodes: flow.nodes.filter(({ id }) => ids.has(id)),
    edges: flow.edges.filter((edge) => !touches(edge, (node) => !ids.has(node))),
    notes: notesOf(flow)
      .filter(({ id }) => ids.has(id))
      .map((note) => withoutNodes(note, (node) => !ids.has(node)))
  }
}

/**
 * What goes to the clipboard: a whole flow document, so that it can be pasted into a flow, kept in a file or posted to
 * the service just as well.
 */
export function copySelection(flow: Flow, ids: ReadonlySet<string>): string {
  const { nodes, edges, notes } = fragmentOf(flow, ids)
  // By itself it stands in no region; where it is pasted decides.
  const free = nodes.map((node) => withoutParent(node, (parent) => !ids.has(parent)))
  const { notes: _, ...head } = flow
  return writeFlow({ ...head, nodes: free, edges, ...(notes.length === 0 ? {} : { notes }) })
}
