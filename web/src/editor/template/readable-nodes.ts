import { parseEnd } from '../../../../src/flows/graph/graph.ts'
import { nodesBefore } from '../../../../src/flows/graph/nodes-before.ts'
import type { Flow } from '../graph/flow.ts'

/** The nodes whose outputs a node may read. */
export function readableNodes({ nodes, edges }: Pick<Flow, 'nodes' | 'edges'>, id: string): string[] {
  const wires = edges.flatMap(({ from, to }) => {
    const [source, target] = [parseEnd(from), parseEnd(to)]
    return source === undefined || target === undefined
      ? []
      : [{ fromNode: source.node, toNode: target.node }]
  })
  return [...nodesBefore({ nodes, wires }, id)]
}
