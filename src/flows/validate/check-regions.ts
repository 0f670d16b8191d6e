import type { Fault } from '../../errors.ts'
import type { TypedNode } from '../component/typed-node.ts'
import type { FlowEdge } from '../document/flow-document.ts'
import type { End } from '../graph/graph.ts'
import { parentsOf } from '../graph/regions.ts'

type TypedNodes = ReadonlyMap<string, TypedNode>

/** By node, the region that it stands in, as far as that is one. */
export function regionParents(typed: TypedNodes): ReadonlyMap<string, string> {
  const parents = parentsOf([...typed.values()].map(({ node }) => node))
  if (parents.size === 0) return parents
  return new Map([...parents].filter(([, parent]) => mayBeRegion(typed.get(parent))))
}

function mayBeRegion(typed: TypedNode | undefined): boolean {
  return typed?.component === undefined || typed.component.region !== undefined
}

/**
 * Whether a wire begins at the inside of the region that its first node is. A name that its outside has too is that of the
 * inside for what stands there, and for what the inside gives back.
 */
export function beginsInside(
  from: End,
  to: End,
  typed: TypedNodes,
  parents: ReadonlyMap<string, string>
): boolean {
  const component = typed.get(from.node)?.component
  const region = component?.region
  if (region === undefined || !Object.hasOwn(region.outputs, from.port)) return false
  if (!Object.hasOwn(component!.outputs ?? {}, from.port)) return true
  if (to.node === from.node) return Object.hasOwn(region.inputs, to.port)
  return parents.get(to.node) === from.node
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
  const isGiven = beginsInside(from, to, typed, parents)
  const isGivenBack = Object.hasOwn(target.component.region?.inputs ?? {}, to.port)
  const inside = isGiven ? from.node : parents.get(from.node)
  const ending = isGivenBack ? to.node : parents.get(to.node)
  if (inside === ending) return undefined
  const fault = (code: string, message: string): Fault => ({ code, path, node: to.node, message })
  if (inside !== undefined) return fault('wire_leaves_region', leaves(edge, inside, typed))
  if (isGivenBack) {
    const message = `"${edge.to}" takes what is inside "${to.node}", and "${edge.from}" is not. Move the node into "${to.node}", or begin the wire inside.`
    return fault('wire_to_result', message)
  }
  if (from.node !== ending) return undefined
  const message = `"${edge.from}" is known when all is done, and "${to.node}" is inside "${ending}". Begin the wire inside, or move the node out.`
  return fault('wire_from_results', message)
}

function leaves(edge: FlowEdge, region: string, typed: TypedNodes): string {
  const component = typed.get(region)?.component
  const [back] = Object.keys(component?.region?.inputs ?? {})
  const [out] = Object.keys(component?.outputs ?? {})
  return `"${edge.from}" is inside "${region}", and "${edge.to}" is not. Connect the wire to "${region}.${back}", and go on from "${region}.${out}".`
}
