import type { Catalogue } from '../../flows/component/catalogue.ts'
import { readBy } from '../../flows/component/node-references.ts'
import type { FlowDocument } from '../../flows/document/flow-document.ts'
import { leadingTo } from '../../flows/graph/up-to-node.ts'
import type { Validation } from '../../flows/validate/validate-flow.ts'
import { flowInvalid } from '../../library/flow-refusals.ts'
import { soundDocument } from '../../library/judge-flow.ts'
import { drawnWires, type Edited, nodeIds, nodesBefore, parentsIn } from './edited-node.ts'

interface Checks {
  readonly check: (document: unknown) => Promise<Validation>
  readonly catalogue: Pick<Catalogue, 'find'>
}

/**
 * What a test runs that ends at a node: all of the document where that is sound, else the part that leads there. Flows are built from
 * their beginning on: what is half done behind the node is not a reason not to try what is before it.
 */
export async function documentUpTo(
  edited: Edited,
  node: string,
  { check, catalogue }: Checks
): Promise<FlowDocument> {
  const whole = await check(edited)
  if (whole.document !== undefined) return whole.document
  const ids = nodeIds(edited)
  const wires = drawnWires(edited)
  const nodes = edited.nodes.map((each, at) => ({ ...each, id: ids[at]! }))
  const reads = readBy(nodes, (type) => catalogue.find(String(edited.context), type))
  const taken = leadingTo({ nodes, wires: wires.filter((wire) => wire !== undefined) }, node, reads)
  const placed = whole.faults.map((fault) => {
    const [, list, index] = /^\/(nodes|edges)\/(\d+)/.exec(fault.path) ?? []
    const id = list === 'nodes' ? ids[Number(index)] : wires[Number(index)]?.toNode
    return { fault, id, isMet: list === undefined || (id !== undefined && taken.has(id)) }
  })
  const faults = placed.flatMap(({ fault, isMet }) => (isMet ? [fault] : []))
  if (faults.length > 0) throw flowInvalid(faults)
  const wrong = new Set(placed.map(({ id }) => id))
  const passed = [...besideIn(edited, node)].filter((id) => !taken.has(id) && !wrong.has(id))
  const kept = new Set([...taken, ...passed])
  const isKept = (id: string | undefined) => id !== undefined && kept.has(id)
  const part = {
    ...edited,
    nodes: edited.nodes.flatMap((each, at) => {
      if (!isKept(ids[at])) return []
      return taken.has(ids[at]!) ? [each] : [{ ...each, disabled: true }]
    }),
    edges: edited.edges.filter((_, at) => isKept(wires[at]?.fromNode) && isKept(wires[at]?.toNode)),
    notes: []
  }
  return soundDocument(await check(part))
}

/** All that stands in the region of a node or leads there: through these comes what it reads by name. They are not run. */
function besideIn(edited: Edited, node: string): ReadonlySet<string> {
  const parents = parentsIn(edited)
  const region = parents.get(node)
  if (region === undefined) return new Set()
  const inside = [...parents].flatMap(([id, parent]) => (parent === region ? [id] : []))
  return new Set([...inside, ...nodesBefore(edited, node)])
}
