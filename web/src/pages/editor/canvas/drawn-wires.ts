import { parseEnd } from '../../../../../src/flows/graph.ts'
import type { Flow, Point } from '../../../editor/graph/flow.ts'
import type { DrawnWire } from '../../../editor/wiring/wire-geometry.ts'
import type { DrawnNode } from '../geometry/drawn-nodes.ts'
import { portPlace } from '../geometry/node-geometry.ts'

/** Where the wires of a flow run, for finding the one that something was dropped on. */
export function drawnWires(flow: Flow, nodes: ReadonlyMap<string, DrawnNode>): DrawnWire[] {
  return flow.edges.flatMap((edge) => {
    const [from, to] = [placeOf(edge.from, 'output', nodes), placeOf(edge.to, 'input', nodes)]
    return from === undefined || to === undefined ? [] : [{ edge, from, to }]
  })
}

function placeOf(
  text: string,
  side: 'input' | 'output',
  nodes: ReadonlyMap<string, DrawnNode>
): Point | undefined {
  const end = parseEnd(text)
  const drawn = end === undefined ? undefined : nodes.get(end.node)
  if (end === undefined || drawn === undefined) return undefined
  const ports = side === 'input' ? drawn.inputs : drawn.outputs
  const row = ports.findIndex(({ name }) => name === end.port)
  const { x, y } = portPlace(drawn, side, row)
  const { position } = drawn.node
  return row === -1 ? undefined : { x: position.x + x, y: position.y + y }
}
