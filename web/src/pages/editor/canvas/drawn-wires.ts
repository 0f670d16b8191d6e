import { parseEnd } from '../../../../../src/flows/graph/graph.ts'
import type { Flow, Point } from '../../../editor/graph/flow.ts'
import { handleIdOf } from '../../../editor/wiring/drawn-ports.ts'
import type { DrawnWire } from '../../../editor/wiring/wire-geometry.ts'
import { type DrawnNode, outputOf } from '../geometry/drawn-nodes.ts'
import { type Frames, framesOfRegions, placeOfPort } from '../geometry/region-geometry.ts'

/** Where the wires of a flow run, for finding the one that something was dropped on. */
export function drawnWires(flow: Flow, nodes: ReadonlyMap<string, DrawnNode>): DrawnWire[] {
  const frames = framesOfRegions([...nodes.values()])
  return flow.edges.flatMap((edge) => {
    const from = placeOf(edge.from, 'output', nodes, frames, edge.to)
    const to = placeOf(edge.to, 'input', nodes, frames)
    return from === undefined || to === undefined ? [] : [{ edge, from, to }]
  })
}

function placeOf(
  text: string,
  side: 'input' | 'output',
  nodes: ReadonlyMap<string, DrawnNode>,
  frames: Frames,
  other = ''
): Point | undefined {
  const end = parseEnd(text)
  const drawn = end === undefined ? undefined : nodes.get(end.node)
  if (end === undefined || drawn === undefined) return undefined
  const frame = frames.get(end.node)
  const target = nodes.get(parseEnd(other)?.node ?? '')
  const output = side === 'output' ? outputOf(drawn, end.port, target) : undefined
  const place = placeOfPort(drawn, frame, side, output === undefined ? end.port : handleIdOf(output))
  const { x, y } = frame ?? drawn.node.position
  return place && { x: x + place.x, y: y + place.y }
}
