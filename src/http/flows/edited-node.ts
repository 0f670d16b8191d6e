import { MillraceError } from '../../errors.ts'
import { didYouMean } from '../../flows/closest-name.ts'
import type { FlowDocument } from '../../flows/document/flow-document.ts'
import { parseEnd, type Wire } from '../../flows/graph/graph.ts'
import type { DraftDocument } from '../../flows/validate/draft-document.ts'
import type { LiveFlow } from '../../library/live-flow.ts'

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
