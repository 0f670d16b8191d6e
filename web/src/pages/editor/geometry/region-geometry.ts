import { parentsOf } from '../../../../../src/flows/graph/regions.ts'
import type { Flow, Point, Size } from '../../../editor/graph/flow.ts'
import type { Frame } from '../../../editor/groups/groups.ts'
import { frameOf } from '../../../editor/regions/regions.ts'
import { handleIdOf } from '../../../editor/wiring/drawn-ports.ts'
import type { PageCatalogue } from '../../../editor/wiring/page-catalogue.ts'
import { type DrawnNode, DrawnNodes } from './drawn-nodes.ts'
import { HEAD_HEIGHT, nodeSize, portPlace } from './node-geometry.ts'

/**
 * Where the parts of a region's frame are. It has a head as a node has; its outer ports stand beside that, on the sides of
 * the frame. Those of its inside stand below the head, away from the sides by the room that their names take.
 */
const OUTER_ROW = 20
const INNER_ROW = 24
const INNER_FROM_SIDE = 76
const INNER_FROM_HEAD = 34

export type Frames = ReadonlyMap<string, Frame>

/** Whether a node is drawn as a frame around others. */
function isFrame({ node, component }: Pick<DrawnNode, 'node' | 'component'>): boolean {
  return component?.region != null && node.collapsed !== true
}

const NOWHERE: ReadonlyMap<string, Point> = new Map()
const NO_FRAMES: Frames = new Map()

/**
 * The frames of all regions that are drawn. One holds what stands in it, but for a node that is just being dragged, which
 * may be on its way out.
 */
export function framesOfRegions(
  nodes: readonly DrawnNode[],
  moving: ReadonlyMap<string, Point> = NOWHERE
): Frames {
  const regions = nodes.filter(isFrame)
  if (regions.length === 0) return NO_FRAMES
  const parents = parentsOf(nodes.map(({ node }) => node))
  const inside = Map.groupBy(nodes, ({ node }) => parents.get(node.id))
  return new Map(
    regions.map(({ node }) => {
      const position = moving.get(node.id)
      const held = (inside.get(node.id) ?? []).filter(
        (drawn) => position !== undefined || !moving.has(drawn.node.id)
      )
      const boxes = held.map((drawn) => ({
        ...(moving.get(drawn.node.id) ?? drawn.node.position),
        ...nodeSize(drawn)
      }))
      return [node.id, frameOf(position === undefined ? node : { ...node, position }, boxes)]
    })
  )
}

/** Where a port is, by what the canvas knows it by, from the upper left corner of its node. */
export function placeOfPort(
  drawn: DrawnNode,
  size: Size | undefined,
  side: 'input' | 'output',
  name: string | null | undefined
): Point | undefined {
  const ports = side === 'input' ? drawn.inputs : drawn.outputs
  const row = ports.findIndex((port) => handleIdOf(port) === name)
  if (row === -1) return undefined
  if (size === undefined || !isFrame(drawn)) return portPlace(drawn, side, row)
  const isInner = ports[row]!.isInside === true
  const alike = ports.filter((port) => (port.isInside === true) === isInner)
  const at = alike.indexOf(ports[row]!)
  if (isInner) {
    // What its inside begins with is at the left, and what it gives back at the right: the other way round than outside.
    const x = side === 'output' ? INNER_FROM_SIDE : size.width - INNER_FROM_SIDE
    return { x, y: HEAD_HEIGHT + INNER_FROM_HEAD + at * INNER_ROW }
  }
  const middle = (alike.length - 1) / 2
  return { x: side === 'input' ? 0 : size.width, y: HEAD_HEIGHT / 2 + (at - middle) * OUTER_ROW }
}

/** The region whose frame holds the middle of a box; of several, the smallest. */
export function regionUnder(frames: Frames, { x, y, width, height }: Frame): string | undefined {
  const [middleX, middleY] = [x + width / 2, y + height / 2]
  const [found] = [...frames]
    .filter(
      ([, frame]) =>
        middleX >= frame.x &&
        middleX <= frame.x + frame.width &&
        middleY >= frame.y &&
        middleY <= frame.y + frame.height
    )
    .sort(([, one], [, other]) => one.width * one.height - other.width * other.height)
  return found?.[0]
}

/** The region at a point of the canvas. */
export function regionAt(flow: Flow, catalogue: PageCatalogue, { x, y }: Point): string | undefined {
  const frames = framesOfRegions(new DrawnNodes().of(flow, catalogue))
  return frames.size === 0 ? undefined : regionUnder(frames, { x, y, width: 0, height: 0 })
}
