import { type Edge, type Flow, nodeOfEnd } from '../graph/flow.ts'
import { judgeEdge } from './judge-wire.ts'
import type { PageCatalogue } from './page-catalogue.ts'

/**
 * The wires to draw in the place of a node that is removed: what fed it leads on to what it fed, where that fits. It
 * undoes a splice; a node with several wires in or out leaves none.
 */
export function healAround(flow: Flow, catalogue: PageCatalogue, nodeId: string): Edge[] {
  const into = flow.edges.filter((edge) => nodeOfEnd(edge.to) === nodeId)
  const outOf = flow.edges.filter((edge) => nodeOfEnd(edge.from) === nodeId)
  if (into.length !== 1 || outOf.length === 0) return []
  const without = {
    ...flow,
    edges: flow.edges.filter((edge) => !into.includes(edge) && !outOf.includes(edge))
  }
  return outOf
    .map(({ to }) => ({ from: into[0]!.from, to }))
    .filter((edge) => judgeEdge(without, catalogue, edge).fits)
}
