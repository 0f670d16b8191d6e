import { parseEnd } from '../../../../src/flows/graph/graph.ts'
import { parentsOf } from '../../../../src/flows/graph/regions.ts'
import { leadingTo } from '../../../../src/flows/graph/up-to-node.ts'
import type { Flow } from '../graph/flow.ts'

/** The nodes whose outputs a node may read: those that lead to it; of what stands in a region, only what stands beside it. */
export function readableNodes({ nodes, edges }: Pick<Flow, 'nodes' | 'edges'>, id: string): string[] {
  const wires = edges.flatMap(({ from, to }) => {
    const [source, target] = [parseEnd(from), parseEnd(to)]
    return source === undefined || target === undefined
      ? []
      : [{ fromNode: source.node, toNode: target.node }]
  })
  const parents = parentsOf(nodes)
  return [...leadingTo({ nodes, wires }, id)].filter((other) => {
    const parent = parents.get(other)
    return other !== id && (parent === undefined || parent === parents.get(id))
  })
}
