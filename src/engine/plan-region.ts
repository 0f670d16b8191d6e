import type { AnyComponent } from '../flows/component/component.ts'
import { referencesIn } from '../flows/component/node-references.ts'
import type { FlowNode } from '../flows/document/flow-document.ts'
import type { Wire } from '../flows/graph/graph.ts'
import type { Region } from '../flows/graph/regions.ts'
import { givenNode, type PlannedNode, type PlanScope, planNode } from './plan-node.ts'
import { withAllBefore } from './plan-references.ts'
import { type Starts, startsOf } from './starts.ts'
import { wiringsOf } from './wiring.ts'

/**
 * What one item of a region runs, out of all wires of the flow. It begins with nodes that are given: those outside that lead to the inside, and the region
 * itself, with what each item begins with. It ends with the region as a step that takes what the item gives, and puts it out by the
 * same name. In between stand the nodes of the inside, in the order of the flow.
 */
export function planRegion(
  region: Region<Wire>,
  wires: readonly Wire[],
  nodes: ReadonlyMap<string, FlowNode>,
  order: readonly string[],
  scope: PlanScope
): { readonly nodes: readonly PlannedNode[]; readonly starts: Starts } {
  const isInside = new Set(region.inside)
  const read = region.inside.flatMap((id) => nodesReadBy(nodes.get(id)!, scope))
  const isGiven = (id: string) => !isInside.has(id) && id !== region.node && nodes.has(id)
  const outside = [...new Set([...region.wiresIn.map((wire) => wire.fromNode), ...read.filter(isGiven)])]
  const given = [...outside, region.node]
  const inside = order.filter((id) => isInside.has(id))
  const end = given.length + inside.length
  const sources = new Map([...given, ...inside].map((id, index) => [id, index]))
  // The region begins an item and ends it: what leads to it leads to its end.
  const placeOf = (id: string) => (id === region.node ? end : sources.get(id)!)
  const placeOfRead = (id: string) => sources.get(id)
  const own = new Set([...region.wiresIn, ...region.wiresInside])
  const inOrder = wires.filter((wire) => own.has(wire))
  const wirings = wiringsOf(inOrder, inOrder, placeOf, (id) => sources.get(id)!)
  const planned = [
    ...given.map((id, index) => givenNode(nodes.get(id)!, index, wirings.of(id).dependents)),
    ...inside.map((id) => planNode(nodes.get(id)!, sources.get(id)!, wirings.of(id), scope, placeOfRead)),
    endOf(nodes.get(region.node)!, end, wirings.of(region.node))
  ]
  return { nodes: withAllBefore(planned), starts: startsOf(planned, new Map()) }
}

/** The nodes that a node names in its fields. */
export function nodesReadBy(node: FlowNode, { catalogue, context, unwired }: PlanScope): string[] {
  if (node.disabled === true || unwired.has(node.id)) return []
  const component = catalogue.find(context, node.type)
  if (component === undefined) return []
  return [...referencesIn(component, node.fields)].flatMap((reference) => reference.node ?? [])
}

function endOf(
  node: FlowNode,
  index: number,
  { inputs, sources }: Pick<PlannedNode, 'inputs' | 'sources'>
): PlannedNode {
  const component: AnyComponent = {
    type: node.type,
    title: node.type,
    effects: 'pure',
    run: (step) => ({ ...step.inputs })
  }
  const { isGiven: _, ...plain } = givenNode(node, index, [])
  return { ...plain, component, inputs, sources }
}
