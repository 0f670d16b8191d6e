import type { Wire } from './graph.ts'
import { parentsOf } from './regions.ts'

interface Drawn {
  readonly nodes: Parameters<typeof parentsOf>[0]
  readonly wires: readonly Pick<Wire, 'fromNode' | 'toNode'>[]
}

/**
 * The node, and those that lead to it: what a test takes that ends there. A region comes with all that it holds, but for the
 * one that the node stands in: of that, with what leads to the node.
 */
export function leadingTo({ nodes, wires }: Drawn, node: string): ReadonlySet<string> {
  const into = Map.groupBy(wires, ({ toNode }) => toNode)
  const parents = parentsOf(nodes)
  const own = parents.get(node)
  const insideOf = Map.groupBy(parents.keys(), (id) => parents.get(id)!)
  // A set grows while it is walked, so each node is looked at once.
  const taken = new Set([node])
  for (const id of taken) {
    const sources = (into.get(id) ?? []).map(({ fromNode }) => fromNode)
    const isOwn = id === own
    for (const source of sources) if (!isOwn || parents.get(source) !== own) taken.add(source)
    if (!isOwn) for (const inside of insideOf.get(id) ?? []) taken.add(inside)
    const parent = parents.get(id)
    if (parent !== undefined) taken.add(parent)
  }
  return taken
}
