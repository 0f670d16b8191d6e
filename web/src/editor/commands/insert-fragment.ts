import { parseEnd } from '../../../../src/flows/graph/graph.ts'
import { type Edge, edgeKey, type Flow, notesOf, takenIds } from '../graph/flow.ts'
import { freshIds } from '../graph/free-ids.ts'
import { renameEdge, renameNode, renameNote } from '../graph/rename-ids.ts'
import type { Fragment } from './command.ts'

/** Puts a fragment into a flow under ids of its own. What is there already keeps its ids and its fields. */
export function insertFragment(flow: Flow, fragment: Fragment): Flow {
  const { nodes, edges, notes } = renameFragment(fragment, takenIds(flow))
  const noded = nodes.length === 0 ? flow : { ...flow, nodes: [...flow.nodes, ...nodes] }
  const noted = notes.length === 0 ? noded : { ...noded, notes: [...notesOf(flow), ...notes] }
  return addEdges(noted, edges)
}

/** The fragment with free ids, and its edges with them. */
function renameFragment(fragment: Fragment, taken: ReadonlySet<string>): Fragment {
  const ids = freshIds(
    [...fragment.nodes, ...fragment.notes].map(({ id }) => id),
    taken
  )
  return {
    nodes: fragment.nodes.map((node) => renameNode(node, ids)),
    edges: fragment.edges.map((edge) => renameEdge(edge, ids)),
    notes: fragment.notes.map((note) => renameNote(note, ids))
  }
}

/** What fed an input before gives way to the new edges. Edges that lead to nowhere stay away. */
function addEdges(flow: Flow, added: readonly Edge[]): Flow {
  const nodes = new Set(flow.nodes.map(({ id }) => id))
  const isSound = ({ from, to }: Edge) =>
    [from, to].every((end) => {
      const node = parseEnd(end)?.node
      return node !== undefined && nodes.has(node)
    })
  const sound = new Map(added.filter(isSound).map((edge) => [edgeKey(edge), edge]))
  const present = new Set(flow.edges.map(edgeKey))
  const fresh = [...sound.values()].filter((edge) => !present.has(edgeKey(edge)))
  if (fresh.length === 0) return flow
  const fed = new Set(fresh.map(({ to }) => to))
  const kept = flow.edges.filter((edge) => !fed.has(edge.to) || sound.has(edgeKey(edge)))
  return { ...flow, edges: [...kept, ...fresh] }
}
