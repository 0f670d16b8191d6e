import type { Wire } from './graph.ts'
import { orderOfRegions, parentsOf } from './regions.ts'
import { neighboursOf, walk } from './taken-nodes.ts'

export interface Drawn {
  readonly nodes: Parameters<typeof parentsOf>[0]
  readonly wires: readonly Pick<Wire, 'fromNode' | 'toNode'>[]
}

/**
 * The nodes that lead to one, whose outputs it may read: of what stands in a region, only what stands beside it, and with the region
 * all that leads to anything in it.
 */
export function nodesBefore({ nodes, wires }: Drawn, id: string): ReadonlySet<string> {
  const parents = parentsOf(nodes)
  const previous = neighboursOf(orderOfRegions(parents, wires), 'toNode', 'fromNode')
  const before = [...walk([id], previous)].filter((other) => {
    const parent = parents.get(other)
    return other !== id && (parent === undefined || parent === parents.get(id))
  })
  return new Set(before)
}
