import { fits } from '../../../../src/flows/component/ports.ts'
import { type End, parseEnd } from '../../../../src/flows/graph/graph.ts'
import { parentsOf } from '../../../../src/flows/graph/regions.ts'
import { checkEdges } from '../../../../src/flows/validate/check-edges.ts'
import { crossingFault, regionParents } from '../../../../src/flows/validate/check-regions.ts'
import { type Edge, endText, type Flow, findNode, isSameEdge } from '../graph/flow.ts'
import type { PageCatalogue } from './page-catalogue.ts'
import { downstreamOf, upstreamOf } from './reach.ts'

/** Where a wire begins or ends: a port on the canvas. */
export interface Handle extends End {
  readonly side: 'input' | 'output'
}

export type Verdict =
  | {
      readonly fits: true
      readonly edge: Edge
      /** What feeds the input now: the first of them that carries something goes before this one. */
      readonly besides: readonly Edge[]
    }
  | {
      readonly fits: false
      readonly code: string
      /** Why not, and what to do. */
      readonly message: string
    }

/** Whether a wire may be drawn between two ports, in whichever direction it was pulled. */
export function judgeWire(flow: Flow, catalogue: PageCatalogue, one: Handle, other: Handle): Verdict {
  if (one.side === other.side) return refuse('same_side', SAME_SIDE[one.side])
  const [from, to] = one.side === 'output' ? [one, other] : [other, one]
  if (from.node === to.node && !isInner(flow, catalogue, from)) {
    return refuse('cycle', 'A node cannot feed itself. Connect the wire to another node.')
  }
  return judgeEdge(flow, catalogue, { from: endText(from), to: endText(to) })
}

/** The service's own rules, asked about one edge beside all others. */
export function judgeEdge(flow: Flow, catalogue: PageCatalogue, edge: Edge): Verdict {
  const others = flow.edges.filter((other) => !isSameEdge(other, edge))
  const edges = [edge, ...others]
  const faults = checkEdges(edges, catalogue.typedNodes(flow))
  const own = faults.find(({ path }) => path.startsWith('/edges/0'))
  // A cycle that was there before is not this wire's fault.
  const fault = own ?? (closesCycle(flow, edge) ? faults.find(({ code }) => code === 'cycle') : undefined)
  if (fault !== undefined) return refuse(fault.code, fault.message)
  return { fits: true, edge, besides: others.filter(({ to }) => to === edge.to) }
}

/** Whether it is a port of the inside of a region. */
function isInner(flow: Flow, catalogue: PageCatalogue, { node, port, side }: Handle): boolean {
  const found = findNode(flow, node)
  const region = found === undefined ? null : catalogue.facts(found.type)?.region
  return Object.hasOwn((side === 'input' ? region?.inputs : region?.outputs) ?? {}, port)
}

const SAME_SIDE = {
  output: 'Both ends are outputs. Draw the wire from an output to an input.',
  input: 'Both ends are inputs. Draw the wire from an output to an input.'
} as const

function refuse(code: string, message: string): Verdict {
  return { fits: false, code, message }
}

function closesCycle(flow: Flow, edge: Edge): boolean {
  const [from, to] = [parseEnd(edge.from), parseEnd(edge.to)]
  if (from === undefined || to === undefined) return false
  const parents = parentsOf(flow.nodes)
  const region = parents.get(to.node)
  // A wire into a region is one to all of it.
  const led = region === undefined || region === parents.get(from.node) ? to.node : region
  return downstreamOf(flow, led).has(from.node)
}

/** All ports that a wire pulled from this one could end at, as `node.port`: what lights up while it is pulled. */
export function portsThatFit(flow: Flow, catalogue: PageCatalogue, handle: Handle): Set<string> {
  const nodes = catalogue.typedNodes(flow)
  const type = portsAt(nodes.get(handle.node), handle.side)?.[handle.port]?.type
  if (type === undefined) return new Set()
  const isPulledForward = handle.side === 'output'
  const parents = regionParents(nodes)
  const side = isPulledForward ? 'input' : 'output'
  const closes = closing(flow, handle, parents)
  const found = new Set<string>()
  for (const [id, typed] of nodes) {
    for (const [port, other] of Object.entries(portsAt(typed, side) ?? {})) {
      const isFit = isPulledForward ? fits(type, other.type) : fits(other.type, type)
      const end = { node: id, port, side } as const
      if (!isFit || (closes(id) && !isInner(flow, catalogue, end))) continue
      const [from, to] = isPulledForward ? [handle, end] : [end, handle]
      const edge = { from: endText(from), to: endText(to) }
      if (crossingFault({ edge, path: '', from, to }, nodes, parents) === undefined) found.add(endText(end))
    }
  }
  return found
}

/** Whether a wire between this node and the one that a wire is pulled from would close a cycle. */
function closing(
  flow: Flow,
  { node, side }: Handle,
  parents: ReadonlyMap<string, string>
): (other: string) => boolean {
  const reach = side === 'output' ? upstreamOf : downstreamOf
  const own = parents.get(node)
  const near = reach(flow, node)
  // What a wire from outside leads to is the whole region, and what it begins at comes before it.
  const around = own === undefined || side === 'output' ? near : reach(flow, own)
  return (other) => {
    const region = parents.get(other)
    if (region === own) return near.has(other)
    if (region === node) return false
    return around.has(region ?? other)
  }
}

function portsAt(
  typed: ReturnType<PageCatalogue['typed']> | undefined,
  side: Handle['side']
): Readonly<Record<string, { readonly type: Parameters<typeof fits>[0] }>> | undefined {
  return side === 'input' ? typed?.inputs : typed?.outputs
}
