import { parseEnd } from '../../../../src/flows/graph/graph.ts'
import { renameReferences } from '../template/rename-references.ts'
import { type Edge, endText, type Flow, type Node, type Note } from './flow.ts'

/** New ids by their old ones; what is not in it keeps its id. */
export type NewIds = ReadonlyMap<string, string>

/** A flow whose nodes and notes have other ids, wires included. */
export function renameInFlow(flow: Flow, ids: NewIds): Flow {
  if (ids.size === 0) return flow
  return {
    ...flow,
    nodes: flow.nodes.map((node) => renameNode(node, ids)),
    edges: flow.edges.map((edge) => renameEdge(edge, ids)),
    ...(flow.notes === undefined ? {} : { notes: flow.notes.map((note) => renameNote(note, ids)) })
  }
}

function renamePart<T extends { readonly id: string }>(part: T, ids: NewIds): T {
  const id = ids.get(part.id) ?? part.id
  return id === part.id ? part : { ...part, id }
}

/** A node names the region that it stands in, and in its fields nodes whose outputs it reads. */
export function renameNode(node: Node, ids: NewIds): Node {
  const fields = renameReferences(node.fields, ids)
  const part = renamePart(node, ids)
  const renamed = fields === node.fields ? part : { ...part, fields }
  const parent = node.parent === undefined ? undefined : ids.get(node.parent)
  return parent === undefined || parent === node.parent ? renamed : { ...renamed, parent }
}

/** A group names its nodes. */
export function renameNote(note: Note, ids: NewIds): Note {
  const renamed = renamePart(note, ids)
  if (renamed.nodes === undefined) return renamed
  return { ...renamed, nodes: renamed.nodes.map((node) => ids.get(node) ?? node) }
}

export function renameEdge(edge: Edge, ids: NewIds): Edge {
  return { from: renameEnd(edge.from, ids), to: renameEnd(edge.to, ids) }
}

function renameEnd(text: string, ids: NewIds): string {
  const end = parseEnd(text)
  if (end === undefined) return text
  return endText({ node: ids.get(end.node) ?? end.node, port: end.port })
}
