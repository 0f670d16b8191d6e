import type { Wire } from '../graph/graph.ts'
import { type Region, regionsOf } from '../graph/regions.ts'
import { neighboursOf, walk } from '../graph/taken-nodes.ts'

type Link = Pick<Wire, 'fromNode' | 'toNode'>

interface Standing {
  readonly id: string
  readonly parent?: string | undefined
}

/**
 * The nodes inside regions, by the region, that have nothing to do with its items: no item reaches them, nor what comes in
 * from outside, and they lead to nothing that one reaches and to no result. They run for every item all the same.
 */
export function looseNodes(nodes: readonly Standing[], wires: readonly Link[]): ReadonlyMap<string, string> {
  const loose = new Map<string, string>()
  for (const region of regionsOf(nodes, wires).values()) {
    const used = usedIn(region)
    for (const id of region.inside) if (!used.has(id)) loose.set(id, region.node)
  }
  return loose
}

function usedIn({ node, inside, wiresInside, wiresIn }: Region): ReadonlySet<string> {
  const isInside = new Set(inside)
  const among = wiresInside.filter(({ fromNode, toNode }) => isInside.has(fromNode) && isInside.has(toNode))
  const begun = [...wiresIn, ...wiresInside.filter(({ fromNode }) => fromNode === node)].map(
    ({ toNode }) => toNode
  )
  const giving = wiresInside.filter(({ toNode }) => toNode === node).map(({ fromNode }) => fromNode)
  const reached = walk(begun, neighboursOf(among, 'fromNode', 'toNode'))
  return walk([...reached, ...giving], neighboursOf(among, 'toNode', 'fromNode'))
}
