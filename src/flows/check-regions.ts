import type { Fault } from '../errors.ts'
import type { FlowEdge, FlowNode } from './flow-document.ts'
import type { End } from './graph.ts'
import { parentsOf } from './regions.ts'
import type { TypedNode } from './typed-node.ts'

type TypedNodes = ReadonlyMap<string, TypedNode>

/** Whether each node stands in a region that is one, and may stand there. */
export function checkParents(nodes: readonly FlowNode[], typed: TypedNodes): Fault[] {
  return nodes.flatMap((node, index) => {
    if (node.parent === undefined) return []
    const wrong = wrongParent(node, node.parent, typed)
    return wrong === undefined ? [] : [{ ...wrong, path: `/nodes/${index}/parent`, node: node.id }]
  })
}

function wrongParent({ id, type, parent: own }: FlowNode, parent: string, typed: TypedNodes) {
  const holder = typed.get(parent)
  const component = typed.get(id)?.component
  if (holder === undefined) {
    const message = `Node "${id}" stands in "${parent}", and there is no such node. Name the node of a For each, or remove "parent".`
    return { code: 'unknown_parent', message }
  }
  if (own === id || component?.region !== undefined) {
    const message = `"${id}" (${component?.title ?? type}) stands in "${parent}", and a region holds no other region. Move it out. For a list in a list, make a flow with the inner For each, and call it by Run flow.`
    return { code: 'nested_region', message }
  }
  if (holder.component !== undefined && holder.component.region === undefined) {
    const message = `Node "${id}" stands in "${parent}", which is a ${holder.component.title} and holds no nodes. Name the node of a For each, or remove "parent".`
    return { code: 'not_a_region', message }
  }
  if (component?.trigger !== undefined) {
    const message = `"${id}" (${component.title}) starts runs and cannot stand in "${parent}". Move it out.`
    return { code: 'trigger_in_region', message }
  }
  if (type === RETURN) {
    const message = `"${id}" is what the whole flow gives back and cannot stand in "${parent}". Move it out, and lead the wire to "${parent}.result".`
    return { code: 'return_in_region', message }
  }
  return undefined
}

/** A flow gives back one value, and a region has its own way to give back one for each item. */
const RETURN = 'return'

/** By node, the region that it stands in, as far as that is one. */
export function regionParents(typed: TypedNodes): ReadonlyMap<string, string> {
  const parents = parentsOf([...typed.values()].map(({ node }) => node))
  if (parents.size === 0) return parents
  return new Map([...parents].filter(([, parent]) => mayBeRegion(typed.get(parent))))
}

function mayBeRegion(typed: TypedNode | undefined): boolean {
  return typed?.component === undefined || typed.component.region !== undefined
}

interface Crossing {
  readonly edge: FlowEdge
  readonly path: string
  readonly from: End
  readonly to: End
}

/**
 * Wires lead into a region freely, and out of it only by what it gives back. An end is inside a region where its node
 * stands there, or where it is a port of the region's own inside.
 */
export function crossingFault(
  { edge, path, from, to }: Crossing,
  typed: TypedNodes,
  parents: ReadonlyMap<string, string>
): Fault | undefined {
  const [source, target] = [typed.get(from.node), typed.get(to.node)]
  // A region whose component is gone: nobody knows which of its ports are inside.
  if (source?.component === undefined || target?.component === undefined) return undefined
  const isGiven = Object.hasOwn(source.component.region?.outputs ?? {}, from.port)
  const isGivenBack = Object.hasOwn(target.component.region?.inputs ?? {}, to.port)
  const inside = isGiven ? from.node : parents.get(from.node)
  const ending = isGivenBack ? to.node : parents.get(to.node)
  if (inside === ending) return undefined
  const fault = (code: string, message: string): Fault => ({ code, path, node: to.node, message })
  if (inside !== undefined) return fault('wire_leaves_region', leaves(edge, inside, typed))
  if (isGivenBack) {
    const message = `"${edge.to}" takes what a node inside "${to.node}" gives for each item, and "${edge.from}" is outside. Move the node into "${to.node}", or begin the wire inside.`
    return fault('wire_to_result', message)
  }
  if (from.node !== ending) return undefined
  const message = `"${edge.from}" is known when all items are done, so it cannot lead to "${to.node}" inside "${ending}". Begin the wire at what is known for each item, or move "${to.node}" out.`
  return fault('wire_from_results', message)
}

function leaves(edge: FlowEdge, region: string, typed: TypedNodes): string {
  const { inputs = {} } = typed.get(region)?.component?.region ?? {}
  const { outputs = {} } = typed.get(region)?.component ?? {}
  const [back, out] = [Object.keys(inputs)[0] ?? 'result', Object.keys(outputs)[0] ?? 'results']
  return `"${edge.from}" is inside "${region}" and "${edge.to}" is not. Lead the wire to "${region}.${back}", and go on from "${region}.${out}", which has it for every item.`
}
