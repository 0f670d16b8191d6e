import { parseEnd, topologicalOrder } from '../../../../../src/flows/graph.ts'
import { type Flow, findNode, type Node, type Note, notesOf } from '../../../editor/graph/flow.ts'

export type OutlineRow =
  | { readonly kind: 'node'; readonly id: string; readonly node: Node }
  | { readonly kind: 'note'; readonly id: string; readonly note: Note }

/** The parts of a flow in the order in which a run comes to them, notes at the end. */
export function outlineRows(flow: Flow): OutlineRow[] {
  const ids = flow.nodes.map(({ id }) => id)
  const wires = flow.edges.flatMap(({ from, to }) => {
    const [fromNode, toNode] = [parseEnd(from)?.node, parseEnd(to)?.node]
    return fromNode === undefined || toNode === undefined ? [] : [{ fromNode, toNode }]
  })
  // A flow that is being mended may hold a cycle; then it is listed as it is written.
  const order = topologicalOrder(ids, wires).sorted ?? ids
  return [
    ...order.map((id): OutlineRow => ({ kind: 'node', id, node: findNode(flow, id)! })),
    ...notesOf(flow).map((note): OutlineRow => ({ kind: 'note', id: note.id, note }))
  ]
}

/** The rows that a search means: by title, type and id, or by the text of a note. */
export function findRows(
  rows: readonly OutlineRow[],
  search: string,
  titleOf: (node: Node) => string
): readonly OutlineRow[] {
  const wanted = search.trim().toLowerCase()
  if (wanted === '') return rows
  return rows.filter((row) => {
    const text =
      row.kind === 'node' ? `${titleOf(row.node)} ${row.node.type} ${row.id}` : `note ${row.note.text}`
    return text.toLowerCase().includes(wanted)
  })
}
