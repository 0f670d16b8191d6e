import type { Fault } from '../../errors.ts'
import type { FlowDocument } from '../../flows/document/flow-document.ts'
import { leadingTo } from '../../flows/graph/up-to-node.ts'
import type { Validation } from '../../flows/validate/validate-flow.ts'
import { flowInvalid } from '../../library/flow-refusals.ts'
import { soundDocument } from '../../library/judge-flow.ts'
import { drawnWires, type Edited, nodeIds } from './edited-node.ts'

/**
 * What a test runs that ends at a node: all of the document where that is sound, else the part that leads there. Flows are built from
 * their beginning on: what is half done behind the node is not a reason not to try what is before it.
 */
export async function documentUpTo(
  edited: Edited,
  node: string,
  check: (document: unknown) => Promise<Validation>
): Promise<FlowDocument> {
  const whole = await check(edited)
  if (whole.document !== undefined) return whole.document
  const ids = nodeIds(edited)
  const wires = drawnWires(edited)
  const nodes = edited.nodes.map((each, at) => ({ ...each, id: ids[at]! }))
  const taken = leadingTo({ nodes, wires: wires.filter((wire) => wire !== undefined) }, node)
  const isTaken = (id: string | undefined) => id !== undefined && taken.has(id)
  const faults = whole.faults.filter((fault) => {
    const [, list, index] = /^\/(nodes|edges)\/(\d+)/.exec(fault.path) ?? []
    if (list === undefined) return true
    return isTaken(list === 'nodes' ? ids[Number(index)] : wires[Number(index)]?.toNode)
  }) satisfies Fault[]
  if (faults.length > 0) throw flowInvalid(faults)
  const part = {
    ...edited,
    nodes: edited.nodes.filter((_, at) => isTaken(ids[at])),
    edges: edited.edges.filter((_, at) => isTaken(wires[at]?.toNode)),
    notes: []
  }
  return soundDocument(await check(part))
}
