import type { FastifyRequest } from 'fastify'
import type { FlowDocument, FlowNode } from '../../flows/document/flow-document.ts'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { soundDocument } from '../../library/judge-flow.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import { type Edited, nodeIds, nodeOf, nodesBefore } from './edited-node.ts'
import { knownTo, toldToReaders } from './flow-access.ts'

interface AskedNode {
  readonly id: string
  /** In the place of those that are saved. */
  readonly fields: Readonly<Record<string, JsonValue>> | undefined
}

/** One node of what is edited. What is wrong with other nodes is not a reason not to try this one. */
export function nodeAlone(
  request: FastifyRequest,
  library: FlowLibrary,
  edited: Edited,
  flow: LiveFlow,
  { id, fields }: AskedNode
): Promise<{ document: FlowDocument; node: FlowNode }> {
  // The For each or Repeat that it stands in does not run.
  const { parent: _, ...sent } = nodeOf(edited, id, flow) as Partial<FlowNode>
  const alone = { ...edited, nodes: [{ ...sent, ...(fields && { fields }) }], edges: [], notes: [] }
  return toldToReaders(request, async () => {
    const around = { before: nodesBefore(edited, id), drawn: new Set(nodeIds(edited)) }
    const judged = await library.check(alone, knownTo(request, library), around)
    const document = soundDocument(judged)
    return { document, node: document.nodes[0]! }
  })
}
