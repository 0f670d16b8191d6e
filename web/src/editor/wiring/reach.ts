import { type Edge, type Flow, nodeOfEnd } from '../graph/flow.ts'
import { indexWires } from '../graph/wire-index.ts'

/** The nodes that wires lead to from a node, itself included. */
export function downstreamOf(flow: Flow, node: string): Set<string> {
  return reach(node, indexWires(flow).outOf, ({ to }) => to)
}

/** The nodes from which wires lead to a node, itself included. */
export function upstreamOf(flow: Flow, node: string): Set<string> {
  return reach(node, indexWires(flow).into, ({ from }) => from)
}

function reach(
  start: string,
  edges: ReadonlyMap<string, readonly Edge[]>,
  farEnd: (edge: Edge) => string
): Set<string> {
  // A set grows while it is walked, so each node is looked at once.
  const reached = new Set([start])
  for (const node of reached) for (const edge of edges.get(node) ?? []) reached.add(nodeOfEnd(farEnd(edge)))
  return reached
}
