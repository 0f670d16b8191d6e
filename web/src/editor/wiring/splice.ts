import { parseEnd } from '../../../../src/flows/graph/graph.ts'
import type { Command } from '../commands/command.ts'
import { type Edge, type Flow, findNode, nodeOfEnd, touches } from '../graph/flow.ts'
import { regionOf } from '../regions/regions.ts'
import { bestPort } from './best-port.ts'
import type { PageCatalogue } from './page-catalogue.ts'
import { mayLieOn } from './region-scope.ts'

type Splice =
  | { readonly command: Command; readonly message?: undefined }
  /** Why the node does not fit into the wire, and what to do. */
  | { readonly message: string; readonly command?: undefined }

/**
 * Whether a node that was dropped on a wire can be put into it. Only a node without wires is: one that is part of the
 * flow already is being moved, and moving must not rewire.
 */
export function spliceInto(
  flow: Flow,
  catalogue: PageCatalogue,
  nodeId: string,
  edge: Edge
): Splice | undefined {
  const node = findNode(flow, nodeId)
  if (node === undefined || flow.edges.some((other) => touches(other, (id) => id === nodeId)))
    return undefined
  const ends = endTypes(flow, catalogue, edge)
  if (ends === undefined) return undefined
  const title = catalogue.titleOf(node)
  const { inputs, outputs } = catalogue.typed(node)
  const input = bestPort(inputs ?? {}, ends.from, 'to it')
  if (input === undefined) {
    return {
      message: `${title} has no input that takes ${ends.from}, which this wire brings. Wire it by hand.`
    }
  }
  const output = bestPort(outputs ?? {}, ends.to, 'from it')
  if (output === undefined) {
    return {
      message: `${title} has no output that gives ${ends.to}, which this wire must bring. Wire it by hand.`
    }
  }
  if (!mayLieOn(flow, catalogue, edge, regionOf(flow, nodeId))) {
    return { message: `${title} is not on the same side of the frame as this wire. Wire it by hand.` }
  }
  return { command: { kind: 'splice', node: nodeId, edge, input, output } }
}

function endTypes(flow: Flow, catalogue: PageCatalogue, edge: Edge) {
  const [from, to] = [parseEnd(edge.from), parseEnd(edge.to)]
  const source = findNode(flow, nodeOfEnd(edge.from))
  const target = findNode(flow, nodeOfEnd(edge.to))
  if (from === undefined || to === undefined || source === undefined || target === undefined) return undefined
  const given = catalogue.typed(source).outputs?.[from.port]?.type
  const taken = catalogue.typed(target).inputs?.[to.port]?.type
  return given === undefined || taken === undefined ? undefined : { from: given, to: taken }
}
