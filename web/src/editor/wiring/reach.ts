import { type Flow, nodeOfEnd } from '../graph/flow.ts'

/** The nodes that wires lead to from a node, itself included. */
export function downstreamOf(flow: Flow, node: string): Set<string> {
  return reach(
    node,
    neighbours(flow, ({ from, to }) => [from, to])
  )
}

/** The nodes from which wires lead to a node, itself included. */
export function upstreamOf(flow: Flow, node: string): Set<string> {
  return reach(
    node,
    neighbours(flow, ({ from, to }) => [to, from])
  )
}

function neighbours(
  flow: Flow,
  ends: (edge: Flow['edges'][number]) => [string, string]
): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const edge of flow.edges) {
    const [one, other] = ends(edge).map(nodeOfEnd) as [string, string]
    const list = found.get(one)
    if (list === undefined) found.set(one, [other])
    else list.push(other)
  }
  return found
}

function reach(start: string, next: ReadonlyMap<string, readonly string[]>): Set<string> {
  // A set grows while it is walked, so each node is looked at once.
  const reached = new Set([start])
  for (const node of reached) for (const other of next.get(node) ?? []) reached.add(other)
  return reached
}
