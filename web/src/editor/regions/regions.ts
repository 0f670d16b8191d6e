import { parentsOf } from '../../../../src/flows/graph/regions.ts'
import { equalJson } from '../graph/equal-json.ts'
import { type Edge, type Flow, type Node, nodeOfEnd, type Point, type Size } from '../graph/flow.ts'
import type { Frame } from '../groups/groups.ts'

/**
 * A region is a node that holds others, drawn as a frame around them: For each. Positions in the document are those on the
 * canvas, inside as outside, so a frame that is moved takes its nodes along.
 */

/** Room between the nodes inside and the frame: at the sides for its inner ports, above them for its head. */
export const REGION_ROOM = { left: 112, right: 112, above: 94, below: 40 } as const

/** Of a region that says nothing of its size. */
export const REGION_SIZE: Size = { width: 560, height: 240 }

/** By region, the nodes that stand in it, in the order of the document. */
export function insideByRegion({ nodes }: Pick<Flow, 'nodes'>): ReadonlyMap<string, readonly Node[]> {
  const parents = parentsOf(nodes)
  if (parents.size === 0) return NOTHING
  return Map.groupBy(
    nodes.filter(({ id }) => parents.has(id)),
    ({ id }) => parents.get(id)!
  )
}

const NOTHING: ReadonlyMap<string, readonly Node[]> = new Map()

/** The region that a node stands in. */
export function regionOf(flow: Flow, node: string): string | undefined {
  return parentsOf(flow.nodes).get(node)
}

/** The ids, and the nodes in the regions among them. */
export function withInside(flow: Flow, ids: ReadonlySet<string>): ReadonlySet<string> {
  const inside = [...insideByRegion(flow)].flatMap(([region, nodes]) => (ids.has(region) ? nodes : []))
  return inside.length === 0 ? ids : new Set([...ids, ...inside.map(({ id }) => id)])
}

/** The nodes that are not drawn, because the region that they stand in is collapsed; with that region. */
export function hiddenNodes({ nodes }: Pick<Flow, 'nodes'>): ReadonlyMap<string, string> {
  const collapsed = new Set(nodes.flatMap(({ id, collapsed }) => (collapsed === true ? [id] : [])))
  const parents = collapsed.size === 0 ? NO_PARENTS : parentsOf(nodes)
  return parents.size === 0 ? parents : new Map([...parents].filter(([, parent]) => collapsed.has(parent)))
}

const NO_PARENTS: ReadonlyMap<string, string> = new Map()

/** Where the frame begins: the sizes of nodes are not needed for it. */
function cornerOf({ position, collapsed }: Node, inside: readonly Pick<Node, 'position'>[]): Point {
  if (collapsed === true) return position
  return {
    x: Math.min(position.x, ...inside.map((node) => node.position.x - REGION_ROOM.left)),
    y: Math.min(position.y, ...inside.map((node) => node.position.y - REGION_ROOM.above))
  }
}

/** As large as the document says, and as it takes to hold what is inside. */
export function frameOf({ position, size = REGION_SIZE }: Node, boxes: readonly Frame[]): Frame {
  const x = Math.min(position.x, ...boxes.map((box) => box.x - REGION_ROOM.left))
  const y = Math.min(position.y, ...boxes.map((box) => box.y - REGION_ROOM.above))
  const right = Math.max(
    position.x + size.width,
    ...boxes.map((box) => box.x + box.width + REGION_ROOM.right)
  )
  const bottom = Math.max(
    position.y + size.height,
    ...boxes.map((box) => box.y + box.height + REGION_ROOM.below)
  )
  return { x, y, width: right - x, height: bottom - y }
}

/** Where all parts go when some are moved: a region takes its nodes along, except those that go somewhere themselves. */
export function withRegionMoves(
  flow: Flow,
  positions: Readonly<Record<string, Point>>
): Readonly<Record<string, Point>> {
  const regions = insideByRegion(flow)
  const moved = flow.nodes.filter(({ id }) => regions.has(id) && Object.hasOwn(positions, id))
  if (moved.length === 0) return positions
  const taken = moved.flatMap((region) => {
    const inside = regions.get(region.id)!
    const [corner, to] = [cornerOf(region, inside), positions[region.id]!]
    return inside.map(({ id, position }): [string, Point] => [
      id,
      { x: position.x + to.x - corner.x, y: position.y + to.y - corner.y }
    ])
  })
  return { ...Object.fromEntries(taken), ...positions }
}

/** Regions say where their frames begin; what was moved past the left or upper side pulls that along. */
export function placeRegions(flow: Flow): Flow {
  const regions = insideByRegion(flow)
  if (regions.size === 0) return flow
  const nodes = flow.nodes.map((node) => {
    const inside = regions.get(node.id)
    if (inside === undefined) return node
    const corner = cornerOf(node, inside)
    if (equalJson(corner, node.position)) return node
    const { position, size = REGION_SIZE } = node
    const grown = {
      width: size.width + position.x - corner.x,
      height: size.height + position.y - corner.y
    }
    return { ...node, position: corner, size: grown }
  })
  return nodes.every((node, index) => node === flow.nodes[index]) ? flow : { ...flow, nodes }
}

/**
 * The wires that cannot stay when nodes are moved into a region, or out of theirs: those to and from the region itself,
 * which mean its outside before and its inside afterwards, and those that would lead out of a region.
 */
export function wiresCut(flow: Flow, nodes: ReadonlySet<string>, region: string | undefined): Edge[] {
  const before = parentsOf(flow.nodes)
  const goes = (node: string) => nodes.has(node) && before.get(node) !== region
  const after = (node: string) => (goes(node) ? region : before.get(node))
  const isOwn = (node: string, other: string) =>
    goes(node) && (other === before.get(node) || other === region)
  return flow.edges.filter(({ from, to }) => {
    const [source, target] = [nodeOfEnd(from), nodeOfEnd(to)]
    if (!goes(source) && !goes(target)) return false
    if (isOwn(source, target) || isOwn(target, source)) return true
    return after(source) !== undefined && after(source) !== after(target)
  })
}

/** Nodes with this region as their parent, or none; those that hold others, or stand there already, stay as they are. */
export function setRegion(flow: Flow, ids: readonly string[], region: string | null): Flow {
  const filled = insideByRegion(flow)
  const parents = parentsOf(flow.nodes)
  const isThere = region === null || flow.nodes.some(({ id }) => id === region && !parents.has(id))
  const meant = new Set(ids.filter((id) => id !== region && !filled.has(id)))
  if (!isThere || meant.size === 0) return flow
  const cut = new Set(wiresCut(flow, meant, region ?? undefined))
  const nodes = flow.nodes.map((node) => {
    if (!meant.has(node.id) || (node.parent ?? null) === region) return node
    const free = withoutParent(node, () => true)
    return region === null ? free : { ...free, parent: region }
  })
  if (nodes.every((node, index) => node === flow.nodes[index])) return flow
  return {
    ...flow,
    nodes,
    edges: cut.size === 0 ? flow.edges : flow.edges.filter((edge) => !cut.has(edge))
  }
}

/** A node that stands in no region where the one that it names is meant. */
export function withoutParent(node: Node, isOut: (parent: string) => boolean): Node {
  const { parent, ...free } = node
  return parent === undefined || !isOut(parent) ? node : free
}
