import { MOST_AWAY } from '../../../../src/flows/document/canvas-bounds.ts'
import type { Flow, Node, Note } from './flow.ts'

/**
 * The flow with all that is drawn of it where it can be seen. Older services took any place, and a draft may hold
 * anything: one part beyond all bounds, and the whole canvas would be empty.
 */
export function withinCanvas(flow: Flow): Flow {
  const { nodes, notes } = flow
  if ([...nodes, ...(notes ?? [])].every(isWithin)) return flow
  return { ...flow, nodes: nodes.map(placed), ...(notes && { notes: notes.map(placed) }) }
}

type Part = Pick<Node | Note, 'position' | 'size'>

function placed<T extends Part>(part: T, at: number): T {
  if (isWithin(part)) return part
  const { size: _, ...rest } = part
  return { ...rest, position: { x: 40 * at, y: 40 * at } } as T
}

function isWithin({ position, size }: Part): boolean {
  const isPlaced = isNear(position?.x) && isNear(position?.y)
  return isPlaced && (size === undefined || (isNear(size?.width) && isNear(size?.height)))
}

function isNear(length: unknown): boolean {
  return typeof length === 'number' && Math.abs(length) <= MOST_AWAY
}
