import { checkEdges } from '../../../../src/flows/check-edges.ts'
import { type End, parseEnd } from '../../../../src/flows/graph.ts'
import { fits } from '../../../../src/flows/ports.ts'
import { type Edge, edgeInto, endText, type Flow } from '../graph/flow.ts'
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
      /** What feeds the input now. An input takes one wire, so this one would go. */
      readonly replaces: Edge | undefined
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
  if (from.node === to.node) {
    return refuse('cycle', 'A node cannot feed itself. Lead the wire to another node.')
  }
  return judgeEdge(flow, catalogue, { from: endText(from), to: endText(to) })
}

/** The service's own rules, asked about one edge in the place of what feeds its input now. */
export function judgeEdge(flow: Flow, catalogue: PageCatalogue, edge: Edge): Verdict {
  const replaces = edgeInto(flow, edge.to)
  const edges = [edge, ...flow.edges.filter((other) => other.to !== edge.to)]
  const faults = checkEdges(edges, catalogue.typedNodes(flow))
  const own = faults.find(({ path }) => path.startsWith('/edges/0'))
  // A cycle that was there before is not this wire's fault.
  const fault = own ?? (closesCycle(flow, edge) ? faults.find(({ code }) => code === 'cycle') : undefined)
  return fault === undefined ? { fits: true, edge, replaces } : refuse(fault.code, fault.message)
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
  return from !== undefined && to !== undefined && downstreamOf(flow, to.node).has(from.node)
}

/** All ports that a wire pulled from this one could end at, as `node.port`: what lights up while it is pulled. */
export function portsThatFit(flow: Flow, catalogue: PageCatalogue, handle: Handle): Set<string> {
  const nodes = catalogue.typedNodes(flow)
  const type = portsAt(nodes.get(handle.node), handle.side)?.[handle.port]?.type
  if (type === undefined) return new Set()
  const isPulledForward = handle.side === 'output'
  const closing = isPulledForward ? upstreamOf(flow, handle.node) : downstreamOf(flow, handle.node)
  const found = new Set<string>()
  for (const [id, typed] of nodes) {
    if (closing.has(id)) continue
    for (const [port, other] of Object.entries(portsAt(typed, isPulledForward ? 'input' : 'output') ?? {})) {
      const isFit = isPulledForward ? fits(type, other.type) : fits(other.type, type)
      if (isFit) found.add(endText({ node: id, port }))
    }
  }
  return found
}

function portsAt(
  typed: ReturnType<PageCatalogue['typed']> | undefined,
  side: Handle['side']
): Readonly<Record<string, { readonly type: Parameters<typeof fits>[0] }>> | undefined {
  return side === 'input' ? typed?.inputs : typed?.outputs
}
