import type { Edge as CanvasEdge } from '@xyflow/react'
import type { PortType } from '../../../../../src/flows/component/ports.ts'
import { parseEnd } from '../../../../../src/flows/graph/graph.ts'
import { type Edge, edgeKey } from '../../../editor/graph/flow.ts'
import { handleIdOf } from '../../../editor/wiring/drawn-ports.ts'
import { type DrawnNode, outputOf } from './drawn-nodes.ts'

export type CanvasWire = CanvasEdge<{ type: PortType; isStray: boolean }, 'wire'>

/** The wires of a flow; the same objects where nothing changed, as with the parts. */
export class CanvasWires {
  #made = new Map<string, CanvasWire>()

  of(
    edges: readonly Edge[],
    nodes: ReadonlyMap<string, DrawnNode>,
    selected: ReadonlySet<string>,
    hidden: ReadonlyMap<string, string>
  ): CanvasWire[] {
    const before = this.#made
    this.#made = new Map()
    return edges.flatMap((edge) => {
      const wire = wireOf(edge, nodes, selected, hidden)
      if (wire === undefined || this.#made.has(wire.id)) return []
      const known = before.get(wire.id)
      const isSame =
        known !== undefined &&
        known.selected === wire.selected &&
        known.target === wire.target &&
        known.sourceHandle === wire.sourceHandle &&
        known.data?.type === wire.data?.type &&
        known.data?.isStray === wire.data?.isStray
      const made = isSame ? known : wire
      this.#made.set(wire.id, made)
      return [made]
    })
  }
}

/**
 * A wire from or to a node that is not there cannot be drawn. The service names it when the flow is saved. One into a region
 * that is collapsed is drawn to that.
 */
function wireOf(
  edge: Edge,
  nodes: ReadonlyMap<string, DrawnNode>,
  selected: ReadonlySet<string>,
  hidden: ReadonlyMap<string, string>
): CanvasWire | undefined {
  const [from, to] = [parseEnd(edge.from), parseEnd(edge.to)]
  if (from === undefined || to === undefined || hidden.has(from.node)) return undefined
  const region = hidden.get(to.node)
  const [source, target] = [nodes.get(from.node), nodes.get(region ?? to.node)]
  const output = source && outputOf(source, from.port, target)
  const input = region === undefined ? target?.inputs.find(({ name }) => name === to.port) : target?.inputs[0]
  if (output === undefined || input === undefined) return undefined
  const id = edgeKey(edge)
  return {
    id,
    type: 'wire',
    source: from.node,
    sourceHandle: handleIdOf(output),
    target: region ?? to.node,
    targetHandle: input.name,
    selected: selected.has(id),
    ariaLabel: `Wire from ${edge.from} to ${edge.to}`,
    data: { type: output.port.type, isStray: output.isGone || input.isGone }
  }
}
