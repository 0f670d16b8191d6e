import { orderOfRegions, parentsOf } from '../../../../src/flows/graph/regions.ts'
import { type Flow, nodeOfEnd } from '../graph/flow.ts'

/** The nodes that have to wait for a node, itself included: a region waits for what leads to its inside. */
export function downstreamOf(flow: Flow, node: string): Set<string> {
  return reach(flow, node, 'fromNode', 'toNode')
}

/** The nodes that a node has to wait for, itself included. */
export function upstreamOf(flow: Flow, node: string): Set<string> {
  return reach(flow, node, 'toNode', 'fromNode')
}

type End = 'fromNode' | 'toNode'

function reach(flow: Flow, start: string, near: End, far: End): Set<string> {
  const wires = flow.edges.map(({ from, to }) => ({ fromNode: nodeOfEnd(from), toNode: nodeOfEnd(to) }))
  const links = Map.groupBy(orderOfRegions(parentsOf(flow.nodes), wires), (link) => link[near])
  // A set grows while it is walked, so each node is looked at once.
  const reached = new Set([start])
  for (const node of reached) for (const link of links.get(node) ?? []) reached.add(link[far])
  return reached
}
