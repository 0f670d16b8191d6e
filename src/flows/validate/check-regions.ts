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
    const message = `"${edge.to}" takes what is inside "${to.node}", and "${edge.from}" is not. Move the node into "${to.node}", or begin the wire inside.`
    return fault('wire_to_result', message)
  }
  if (from.node !== ending) return undefined
  const message = `"${edge.from}" is known when all items are done, and "${to.node}" is inside "${ending}". Begin the wire inside, or move the node out.`
  return fault('wire_from_results', message)
}

function leaves(edge: FlowEdge, region: string, typed: TypedNodes): string {
  const component = typed.get(region)?.component
  const [back] = Object.keys(component?.region?.inputs ?? {})
  const [out] = Object.keys(component?.outputs ?? {})
  return `"${edge.from}" is inside "${region}", and "${edge.to}" is not. Connect the wire to "${region}.${back}", and go on from "${region}.${out}".`
}
