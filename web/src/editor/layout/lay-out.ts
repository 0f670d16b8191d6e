import { Graph, layout } from '@dagrejs/dagre'
import type { Point } from '../graph/flow.ts'
import { GAPS, type Item, type Wire } from './item.ts'
import { straighten } from './straighten.ts'

/**
 * Columns and their order are dagre's work. It puts items on one line by their middles, so each is made as high as it
 * takes for the middle to be where its wires are; what is still askew is put straight afterwards.
 */
export function layOut(items: readonly Item[], wires: readonly Wire[]): Map<string, Point> {
  const graph = new Graph({ multigraph: false })
  graph.setGraph({ rankdir: 'LR', ranksep: GAPS.columns, nodesep: GAPS.rows })
  graph.setDefaultEdgeLabel(() => ({}))
  const lines = new Map(items.map((item) => [item.id, lineOf(item, wires)]))
  // The order of the document decides between equal places, and that does not change with the layout.
  for (const { id, width, height } of items) {
    const line = lines.get(id)!
    graph.setNode(id, { width, height: 2 * Math.max(line, height - line) })
  }
  for (const { source, target } of wires) graph.setEdge(source, target)
  layout(graph)
  const middleOf = (id: string) => graph.node(id) as Point
  const upright = isUpsideDown(items, wires, middleOf) ? -1 : 1
  const places = new Map(
    items.map(({ id, width }) => {
      const { x, y } = middleOf(id)
      return [id, { x: x - width / 2, y: upright * y - lines.get(id)! }]
    })
  )
  return straighten(items, wires, places)
}

/** Dagre does not care which branch is above the other. People do: the first output leads to the upper one. */
function isUpsideDown(
  items: readonly Item[],
  wires: readonly Wire[],
  middleOf: (id: string) => Point
): boolean {
  let judged = 0
  for (const item of items) {
    const outOf = wires
      .filter(({ source }) => source === item.id)
      .toSorted((one, other) => item.portAt('output', one.from) - item.portAt('output', other.from))
    for (const [index, { target }] of outOf.slice(1).entries()) {
      judged += Math.sign(middleOf(target).y - middleOf(outOf[index]!.target).y)
    }
  }
  return judged < 0
}

/** Where the wires of an item are, on average of its sides: there it is put on a line with others. */
function lineOf(item: Item, wires: readonly Wire[]): number {
  const into = wires.filter(({ target }) => target === item.id).map(({ to }) => item.portAt('input', to))
  const outOf = wires
    .filter(({ source }) => source === item.id)
    .map(({ from }) => item.portAt('output', from))
  const sides = [into, outOf].filter((side) => side.length > 0).map(mean)
  return sides.length === 0 ? item.height / 2 : mean(sides)
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}
