import { Graph, layout } from '@dagrejs/dagre'
import type { Command } from '../commands/command.ts'
import { type Flow, nodeOfEnd, type Point, type Size, type Sizes } from '../graph/flow.ts'

/** Between columns there is room for wires to bend; within one, for a line of text. */
const GAPS = { columns: 96, rows: 40 }

/** For nodes that the canvas has not measured yet. */
const USUAL_SIZE: Size = { width: 280, height: 160 }

/**
 * Lays a flow out in columns from left to right, as few wires crossing as can be. The upper left corner of what is
 * laid out stays where it is, so the canvas does not jump; notes stay where somebody put them. To tidy what is tidy
 * changes nothing.
 */
export function tidy(flow: Flow, sizes: Sizes, only?: ReadonlySet<string>): Command {
  const nodes = flow.nodes.filter(({ id }) => only === undefined || only.has(id))
  if (nodes.length === 0) return { kind: 'move', positions: {}, by: 'tidy' }
  const graph = new Graph({ multigraph: false })
  graph.setGraph({ rankdir: 'LR', ranksep: GAPS.columns, nodesep: GAPS.rows })
  graph.setDefaultEdgeLabel(() => ({}))
  const sizeOf = (id: string) => sizes.get(id) ?? USUAL_SIZE
  // The order of the document decides between equal places, and that does not change with the layout.
  for (const { id } of nodes) graph.setNode(id, { ...sizeOf(id) })
  for (const { from, to } of flow.edges) {
    const [one, other] = [nodeOfEnd(from), nodeOfEnd(to)]
    if (graph.hasNode(one) && graph.hasNode(other) && one !== other) graph.setEdge(one, other)
  }
  layout(graph)
  const corners = nodes.map(({ id }): [string, Point] => {
    const { x, y } = graph.node(id) as Point
    const { width, height } = sizeOf(id)
    return [id, { x: x - width / 2, y: y - height / 2 }]
  })
  const shift = difference(
    cornerOf(nodes.map(({ position }) => position)),
    cornerOf(corners.map(([, corner]) => corner))
  )
  const positions = corners.map(([id, { x, y }]) => [
    id,
    { x: Math.round(x + shift.x), y: Math.round(y + shift.y) }
  ])
  return { kind: 'move', positions: Object.fromEntries(positions), by: 'tidy' }
}

function cornerOf(points: readonly Point[]): Point {
  return { x: Math.min(...points.map(({ x }) => x)), y: Math.min(...points.map(({ y }) => y)) }
}

function difference(one: Point, other: Point): Point {
  return { x: one.x - other.x, y: one.y - other.y }
}
