import { parentsOf } from '../../../../../src/flows/graph/regions.ts'
import type { Flow, Point } from '../../../editor/graph/flow.ts'
import type { DrawnNode } from '../geometry/drawn-nodes.ts'
import { HEAD_HEIGHT, NODE_WIDTH } from '../geometry/node-geometry.ts'
import { framesOfRegions, regionUnder } from '../geometry/region-geometry.ts'

/**
 * The region that each of the nodes that are moved comes to stand in: the one whose frame the middle of its head is in. What goes along
 * with its region stays in it.
 */
export function regionsWished(
  flow: Flow,
  nodes: ReadonlyMap<string, DrawnNode>,
  moved: Readonly<Record<string, Point>>
): Map<string, string | undefined> {
  const wished = new Map<string, string | undefined>()
  const places = new Map(Object.entries(moved))
  const frames = framesOfRegions([...nodes.values()], places)
  if (frames.size === 0) return wished
  const parents = parentsOf(flow.nodes)
  for (const [id, place] of places) {
    const drawn = nodes.get(id)
    if (drawn === undefined || places.has(parents.get(id) ?? '')) continue
    const others = new Map([...frames].filter(([region]) => region !== id))
    wished.set(id, regionUnder(others, { ...place, width: NODE_WIDTH, height: HEAD_HEIGHT }))
  }
  return wished
}
