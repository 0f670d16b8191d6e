import type { Flow } from '../../../editor/graph/flow.ts'
import { indexWires } from '../../../editor/graph/wire-index.ts'
import type { Measures } from '../../../editor/layout/tidy.ts'
import type { PageCatalogue } from '../../../editor/wiring/page-catalogue.ts'
import { type CanvasPart, sizesOf } from './canvas-parts.ts'
import { type DrawnNode, drawNode } from './drawn-nodes.ts'
import { framesOfRegions, placeOfPort } from './region-geometry.ts'

/** How big the parts on the canvas are, and where their ports are. */
export function measuresOf(flow: Flow, catalogue: PageCatalogue, parts: readonly CanvasPart[]): Measures {
  const wires = indexWires(flow)
  const drawn = new Map<string, DrawnNode>(
    flow.nodes.map((node) => [node.id, drawNode(wires, catalogue, node)])
  )
  const frames = framesOfRegions([...drawn.values()])
  return {
    sizes: sizesOf(parts),
    portAt: (id, side, port) => {
      const node = drawn.get(id)
      return node === undefined ? undefined : placeOfPort(node, frames.get(id), side, port)?.y
    }
  }
}
