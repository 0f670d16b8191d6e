import type { Catalogue } from '../flows/component/catalogue.ts'
import { readBy } from '../flows/component/node-references.ts'
import type { FlowDocument } from '../flows/document/flow-document.ts'
import { wiresOf } from '../flows/graph/graph.ts'
import { leadingTo } from '../flows/graph/up-to-node.ts'
import { type Plan, type PlannedNode, planFlow, type ReplayedCalls } from './plan.ts'
import type { Outputs } from './step-record.ts'

/** What a test runs of its document. */
export interface TestScope {
  /** R12: what leaves nodes that are not run, by node and output. */
  readonly pins: Readonly<Record<string, Outputs>>
  /** The node that the test ends at; null where it runs all. */
  readonly upTo: string | null
  /** What an agent has asked before, in the run that this one goes on from. */
  readonly replayed?: ReplayedCalls
}

export const WHOLE: TestScope = { pins: {}, upTo: null }

export function planTest(
  flow: { readonly id: string; readonly version: number; readonly document: FlowDocument },
  { pins, upTo, replayed }: TestScope,
  catalogue: Catalogue
): Plan {
  const { document } = flow
  const { nodes: drawn } = document
  const drawing = { nodes: drawn, wires: wiresOf(document) }
  const reads = readBy(drawn, (type) => catalogue.find(document.context, type))
  const taken = upTo === null ? undefined : leadingTo(drawing, upTo, reads)
  const isLeftOut = (id: string) => taken?.has(id) === false
  // Whatever is missing in a node that is left out is to fail nothing, and a trigger among them starts nothing.
  const reached = drawn.map((node) => (isLeftOut(node.id) ? { ...node, disabled: true } : node))
  const plan = planFlow({ ...flow, document: { ...document, nodes: reached } }, catalogue)
  const asTested = (node: PlannedNode): PlannedNode => {
    if (node.isGiven === true) return node
    if (isLeftOut(node.id)) return { ...node, bypass: null }
    const isPinned = node.bypass === undefined && Object.hasOwn(pins, node.id)
    return isPinned ? { ...node, bypass: { pinned: pins[node.id]! } } : node
  }
  const nodes = plan.nodes.map(asTested)
  const regions = new Map(
    [...plan.regions].map(([id, region]) => [id, { ...region, nodes: region.nodes.map(asTested) }])
  )
  // It may be tried on a copy of what came by a trigger that leads elsewhere.
  const starts = upTo === null ? plan.starts : { ...plan.starts, otherwise: plan.starts.of.get('api')! }
  return { ...plan, nodes, starts, regions, ...(replayed && { replayed }) }
}
