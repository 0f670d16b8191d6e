import { type Drawn, nodesBefore } from './nodes-before.ts'
import { parentsOf } from './regions.ts'

/** The nodes that one reads by their names, of those that come before it. */
export type ReadBy = (node: string, before: ReadonlySet<string>) => readonly string[]

/**
 * The node, and those that lead to it: what a test takes that ends there. A region comes with all that it holds, but for the
 * one that the node stands in: of that, with what leads to the node, and with what is read there that leads to something else in it.
 */
export function leadingTo(
  { nodes, wires }: Drawn,
  node: string,
  readBy: ReadBy = () => []
): ReadonlySet<string> {
  const into = Map.groupBy(wires, ({ toNode }) => toNode)
  const parents = parentsOf(nodes)
  const own = parents.get(node)
  const insideOf = Map.groupBy(parents.keys(), (id) => parents.get(id)!)
  const before = own === undefined ? undefined : nodesBefore({ nodes, wires }, node)
  const sourcesOf = (id: string) => (into.get(id) ?? []).map(({ fromNode }) => fromNode)
  const ofOwn = (id: string) => sourcesOf(id).filter((source) => parents.get(source) !== own)
  const neededBy = (id: string): readonly string[] => {
    const parent = parents.get(id)
    if (parent === undefined) return id === own ? ofOwn(id) : [...sourcesOf(id), ...(insideOf.get(id) ?? [])]
    const read = before !== undefined && parent === own ? readBy(id, before) : []
    return [...sourcesOf(id), ...read, parent]
  }
  // A set grows while it is walked, so each node is looked at once.
  const taken = new Set([node])
  for (const id of taken) for (const other of neededBy(id)) taken.add(other)
  return taken
}
