import { MillraceError } from '../../errors.ts'
import { didYouMean } from '../../flows/closest-name.ts'
import type { FlowDocument } from '../../flows/document/flow-document.ts'
import { parseEnd, type Wire } from '../../flows/graph/graph.ts'
import { nodesBefore as comingBefore } from '../../flows/graph/nodes-before.ts'
import { parentsOf } from '../../flows/graph/regions.ts'
import type { DraftDocument } from '../../flows/validate/draft-document.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import type { InsideRegion } from '../../runs/last-given.ts'

/** What is edited: a draft, or what is live where there is none. */
export type Edited = DraftDocument | FlowDocument

/** In the order of its nodes; '' for one without. */
export function nodeIds({ nodes }: Edited): string[] {
  return nodes.map((node) => ('id' in node ? String(node.id) : ''))
}

/** In the order of its edges; undefined for one without two ends. */
export function drawnWires({ edges }: Edited): (Wire | undefined)[] {
  return edges.map((edge) => {
    if (!('from' in edge) || !('to' in edge)) return undefined
    const from = parseEnd(String(edge.from))
    const to = parseEnd(String(edge.to))
    if (from === undefined || to === undefined) return undefined
    return { fromNode: from.node, fromPort: from.port, toNode: to.node, toPort: to.port }
  })
}

/** The nodes that lead to one, whose outputs it may read. */
export function nodesBefore(document: Edited, id: string): ReadonlySet<string> {
  return comingBefore(drawn(document), id)
}

/** By node, the region that it stands in. */
export function parentsIn(document: Edited): ReadonlyMap<string, string> {
  return parentsOf(drawn(document).nodes)
}

/** Undefined for a node that stands in no region. */
export function insideRegion(document: Edited, id: string): InsideRegion | undefined {
  const { nodes, wires } = drawn(document)
  const parents = parentsOf(nodes)
  const region = parents.get(id)
  if (region === undefined) return undefined
  const sources = wires.filter(({ toNode }) => toNode === region).map(({ fromNode }) => fromNode)
  const beside = [...nodesBefore(document, id)].filter((other) => parents.get(other) === region)
  return {
    region,
    into: [...new Set(sources)].filter((source) => parents.get(source) !== region),
    inside: [id, ...beside]
  }
}

function drawn(document: Edited) {
  const ids = nodeIds(document)
  const nodes = document.nodes.map((node, index) => ({
    id: ids[index]!,
    parent: 'parent' in node && typeof node.parent === 'string' ? node.parent : undefined
  }))
  return { nodes, wires: drawnWires(document).filter((wire) => wire !== undefined) }
}

export function nodeOf(
  document: Edited,
  id: string,
  { slug }: Pick<LiveFlow, 'slug'>
): Edited['nodes'][number] {
  const ids = nodeIds(document)
  const found = document.nodes[ids.indexOf(id)]
  if (found !== undefined) return found
  throw new MillraceError(
    'node_not_found',
    `Flow "${slug}" has no node "${id}".${didYouMean(id, ids)} GET /api/v1/flows/${slug}/draft shows its nodes, or GET /api/v1/flows/${slug} where there is no draft.`
  )
}
