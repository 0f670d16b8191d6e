import type { Flow, Node, Size } from '../../../editor/graph/flow.ts'
import type { PageCatalogue } from '../../../editor/wiring/page-catalogue.ts'
import { DrawnNodes } from '../geometry/drawn-nodes.ts'
import { nodeSize } from '../geometry/node-geometry.ts'
import { framesOfRegions } from '../geometry/region-geometry.ts'

/** How large a node is drawn that nothing is wired to; ports that follow from its fields count, as branches do. */
export function sizeOfNew(flow: Flow, catalogue: PageCatalogue, node: Node): Size {
  const drawn = new DrawnNodes().of({ ...flow, nodes: [node], edges: [] }, catalogue)
  const [frame] = framesOfRegions(drawn).values()
  return frame === undefined ? nodeSize(drawn[0]!) : { width: frame.width, height: frame.height }
}
