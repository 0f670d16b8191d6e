import type { Comparison } from '../../../editor/compare/compare-flows.ts'
import { edgeKey, type Flow, notesOf } from '../../../editor/graph/flow.ts'
import type { Mark } from '../editor-context.ts'

/** A flow with what it has lost since another version still in it, so that both can be seen in one picture. */
export function unionFlow(after: Flow, { nodes, edges, notes }: Comparison): Flow {
  return {
    ...after,
    nodes: [...after.nodes, ...nodes.removed],
    edges: [...after.edges, ...edges.removed],
    notes: [...notesOf(after), ...notes.removed]
  }
}

/** What has become of each node, note and wire; a part that was only moved is not marked. */
export function marksOf({ nodes, notes, edges }: Comparison): Map<string, Mark> {
  const marks = new Map<string, Mark>()
  for (const { added, removed, changed } of [nodes, notes]) {
    for (const { id } of added) marks.set(id, 'added')
    for (const { id } of removed) marks.set(id, 'removed')
    for (const { id, changes } of changed) if (changes.length > 0) marks.set(id, 'changed')
  }
  for (const edge of edges.added) marks.set(edgeKey(edge), 'added')
  for (const edge of edges.removed) marks.set(edgeKey(edge), 'removed')
  return marks
}
