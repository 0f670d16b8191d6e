import type { Fault } from '../../errors.ts'
import { didYouMean } from '../closest-name.ts'
import type { Port, Ports } from '../component/ports.ts'
import { ERROR_OUTPUT, fits, remedyForMisfit } from '../component/ports.ts'
import type { TypedNode } from '../component/typed-node.ts'
import type { FlowEdge } from '../document/flow-document.ts'
import { type End, parseEnd, topologicalOrder, type Wire } from '../graph/graph.ts'
import { orderOfRegions } from '../graph/regions.ts'
import { atOnce, type Turns } from '../in-turns.ts'
import { beginsInside, crossingFault, regionParents } from './check-regions.ts'

/** Nobody reads more at once, and comparing thousands of names with thousands would hold up every request. */
const HINTED_FAULTS = 10

/** Edges that are looked at in one turn. */
const AT_ONCE = 500

export function checkEdges(edges: readonly FlowEdge[], nodes: ReadonlyMap<string, TypedNode>): Fault[] {
  return atOnce(edgeFaults(edges, nodes))
}

export function* edgeFaults(
  edges: readonly FlowEdge[],
  nodes: ReadonlyMap<string, TypedNode>
): Turns<Fault[]> {
  const faults: Fault[] = []
  const wires: Wire[] = []
  const known = new Set<string>()
  const parents = regionParents(nodes)
  for (const [index, edge] of edges.entries()) {
    if (index % AT_ONCE === 0) yield
    const path = `/edges/${index}`
    const hints = faults.length < HINTED_FAULTS
    const from = findEnd(edge.from, `${path}/from`, { nodes, hints, portsOf: outputPorts })
    const to = findEnd(edge.to, `${path}/to`, { nodes, hints, portsOf: inputPorts })
    faults.push(...from.faults, ...to.faults)
    if (from.end === undefined || to.end === undefined) continue
    const crossing = crossingFault({ edge, path, from: from.end, to: to.end }, nodes, parents)
    if (crossing !== undefined) faults.push(crossing)
    // A wire that has to go anyway closes no cycle, nor does one from the inside of a region to that same inside.
    else if (from.end.node !== to.end.node || !beginsInside(from.end, to.end, nodes, parents)) {
      wires.push({
        fromNode: from.end.node,
        fromPort: from.end.port,
        toNode: to.end.node,
        toPort: to.end.port
      })
    }
    const key = `${edge.from} ${edge.to}`
    if (known.has(key)) faults.push(sameEdge(edge, path, to.end))
    known.add(key)
    if (from.port !== undefined && to.port !== undefined && !fits(from.port.type, to.port.type)) {
      faults.push(misfit(edge, path, from.port, to.port, to.end))
    }
  }
  yield
  return [...faults, ...(yield* cycleFaults([...nodes.keys()], wires, parents))]
}

type PortsOf = (typed: TypedNode) => {
  readonly kind: 'input' | 'output'
  readonly ports: Ports | undefined
}

const outputPorts: PortsOf = ({ outputs }) => ({ kind: 'output', ports: outputs })

const inputPorts: PortsOf = ({ inputs }) => ({ kind: 'input', ports: inputs })

interface FoundEnd {
  readonly end?: End
  readonly port?: Port
  readonly faults: readonly Fault[]
}

interface Ends {
  readonly nodes: ReadonlyMap<string, TypedNode>
  /** Whether to say what else may be meant. */
  readonly hints: boolean
  readonly portsOf: PortsOf
}

function findEnd(text: string, path: string, { nodes, hints, portsOf }: Ends): FoundEnd {
  const end = parseEnd(text)
  if (end === undefined) {
    const message = `"${text}" is not an end of an edge. Write it as node.port, for example "webhook-1.data".`
    return { faults: [{ code: 'invalid_edge', path, message }] }
  }
  const typed = nodes.get(end.node)
  if (typed === undefined) {
    const meant = hints ? didYouMean(end.node, nodes.keys()) : ''
    const message = `The edge leads to nowhere: there is no node "${end.node}".${meant}`
    return { faults: [{ code: 'edge_to_nowhere', path, node: end.node, message }] }
  }
  const { kind, ports } = portsOf(typed)
  if (ports === undefined) return { end, faults: [] }
  const port = Object.hasOwn(ports, end.port) ? ports[end.port] : undefined
  if (port !== undefined) return { end, port, faults: [] }
  const known = hints ? knownPorts(kind, Object.keys(ports), end.port) : ''
  const remedy =
    kind === 'output' && end.port === ERROR_OUTPUT
      ? ' Write "on_error": "output" at the node, and what goes wrong leaves by this one.'
      : ''
  const message = `The edge leads to nowhere: node "${end.node}" (${typed.component!.title}) has no ${kind} "${end.port}".${known}${remedy}`
  return { faults: [{ code: 'edge_to_nowhere', path, node: end.node, message }] }
}

function knownPorts(kind: string, names: readonly string[], meant: string): string {
  const list = names.length === 0 ? ` It has no ${kind}s.` : ` Its ${kind}s are ${names.join(', ')}.`
  return `${list}${didYouMean(meant, names)}`
}

function sameEdge(edge: FlowEdge, path: string, to: End): Fault {
  return {
    code: 'input_taken',
    path,
    node: to.node,
    message: `Input "${edge.to}" takes the edge from "${edge.from}" twice. Remove one of them.`
  }
}

function misfit(edge: FlowEdge, path: string, from: Port, to: Port, end: End): Fault {
  return {
    code: 'port_type_mismatch',
    path,
    node: end.node,
    message:
      `"${edge.from}" gives ${from.type} and "${edge.to}" takes ${to.type}: they do not fit. ` +
      remedyForMisfit(from.type, to.type)
  }
}

function* cycleFaults(
  nodes: readonly string[],
  wires: readonly Wire[],
  parents: ReadonlyMap<string, string>
): Turns<Fault[]> {
  const order = orderOfRegions(parents, wires)
  yield
  const { cycle } = topologicalOrder(nodes, order)
  if (cycle === undefined) return []
  const regions = new Set(parents.values())
  const region = cycle.find((node) => regions.has(node))
  const why = region === undefined ? '' : ` What leads to a node inside "${region}" leads to it, too.`
  const message = `The nodes ${cycle.join(' -> ')} form a cycle. A flow runs forward: remove one of these edges.${why}`
  return [{ code: 'cycle', path: '/edges', node: cycle[0]!, message }]
}
