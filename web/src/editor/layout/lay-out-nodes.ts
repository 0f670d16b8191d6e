import { parseEnd } from '../../../../src/flows/graph/graph.ts'
import { type Flow, type Node, nodeOfEnd, type Point, type Size, type Sizes } from '../graph/flow.ts'
import { type Frame, frameAround, type Group, groupsIn, nodesOf } from '../groups/groups.ts'
import { hiddenNodes, insideByRegion, REGION_ROOM, REGION_SIZE, withInside } from '../regions/regions.ts'
import type { Item, Wire } from './item.ts'
import { layOut } from './lay-out.ts'

/** For nodes that the canvas has not measured yet. */
export const USUAL_SIZE: Size = { width: 280, height: 160 }

export interface Measures {
  readonly sizes: Sizes
  /** How far below the upper edge of its node a port is; the middle of the node where nobody can tell. */
  readonly portAt?: (node: string, side: 'input' | 'output', port: string) => number | undefined
}

interface LaidOut {
  /** Of the nodes, by id; those of a collapsed region go with it. */
  readonly corners: ReadonlyMap<string, Point>
  /** Of the frames of regions. */
  readonly sizes: Sizes
}

/** What is laid out by itself and then stands among the others as one. */
interface Inside extends Size {
  /** Of its items, from the corner of the frame. */
  readonly offsets: ReadonlyMap<string, Point>
}

/** Where the nodes go: groups and regions inside first, then all that is left with each of them as one. */
export function layOutNodes(flow: Flow, chosen: ReadonlySet<string>, measures: Measures): LaidOut {
  const hidden = hiddenNodes(flow)
  const shown = flow.nodes.filter(({ id }) => chosen.has(id) && !hidden.has(id))
  const layout = new Layout(flow, measures, shown)
  const regions = shown.filter((node) => isOpenRegion(flow, node))
  const isRegion = new Set(regions.map(({ id }) => id))
  const groups = groupsIn(flow)
  // A group within a region is one of its items; one around a region holds that as an item.
  const [around, within] = [true, false].map((isAround) =>
    groups.filter(({ nodes }) => nodes.some((id) => isRegion.has(id)) === isAround)
  ) as [Group[], Group[]]
  for (const group of within)
    layout.fold(
      group.id,
      nodesOf(flow, group).map(({ id }) => id),
      frameAround
    )
  const inside = insideByRegion(flow)
  for (const { id } of regions) {
    layout.fold(id, inside.get(id)?.map((node) => node.id) ?? [], regionAround)
  }
  for (const group of around) {
    const members = withInside(flow, new Set(nodesOf(flow, group).map(({ id }) => id)))
    layout.fold(group.id, [...members], frameAround)
  }
  return layout.places(isRegion)
}

function isOpenRegion(flow: Flow, { id, type, size, collapsed }: Node): boolean {
  if (collapsed === true) return false
  return (
    type === 'for-each' ||
    type === 'repeat' ||
    size !== undefined ||
    flow.nodes.some(({ parent }) => parent === id)
  )
}

function regionAround(boxes: readonly Frame[]): Frame {
  if (boxes.length === 0) return { x: 0, y: 0, ...REGION_SIZE }
  const x = Math.min(...boxes.map((box) => box.x)) - REGION_ROOM.left
  const y = Math.min(...boxes.map((box) => box.y)) - REGION_ROOM.above
  const right = Math.max(...boxes.map((box) => box.x + box.width)) + REGION_ROOM.right
  const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + REGION_ROOM.below
  return { x, y, width: right - x, height: bottom - y }
}

class Layout {
  readonly #flow: Flow
  readonly #items = new Map<string, Item>()
  readonly #insides = new Map<string, Inside>()
  /** By node, the item that stands for it. */
  readonly #itemOf = new Map<string, string>()

  constructor(flow: Flow, measures: Measures, nodes: readonly Node[]) {
    this.#flow = flow
    for (const { id } of nodes) {
      this.#items.set(id, nodeItem(id, measures))
      this.#itemOf.set(id, id)
    }
  }

  /** Makes one item of several. */
  fold(id: string, nodes: readonly string[], around: (boxes: readonly Frame[]) => Frame): void {
    const ids = [...new Set(nodes.map((node) => this.#itemOf.get(node)))]
    const within = ids.flatMap((item) => (item === undefined ? [] : (this.#items.get(item) ?? [])))
    // One that is laid out in part only, or shares a node with another one, is drawn around whatever comes of it.
    if (within.length !== ids.length || !this.#areWhole(within, nodes)) return
    const names = new Set(within.map((item) => item.id))
    const places = layOut(
      within,
      this.#wires((item) => names.has(item))
    )
    const frame = around(within.map((item) => ({ ...item, ...places.get(item.id)! })))
    const offsets = new Map(
      [...places].map(([item, { x, y }]) => [
        item,
        { x: Math.round(x - frame.x), y: Math.round(y - frame.y) }
      ])
    )
    const inside = { width: Math.round(frame.width), height: Math.round(frame.height), offsets }
    const folded = foldedItem(id, inside, new Map(within.map((item) => [item.id, item])), {
      itemOf: new Map(this.#itemOf),
      own: this.#items.get(id)
    })
    for (const item of names) this.#items.delete(item)
    for (const [node, item] of this.#itemOf) if (names.has(item)) this.#itemOf.set(node, id)
    this.#insides.set(id, inside)
    this.#items.set(id, folded)
  }

  /** Whether these items stand for these nodes and no others. */
  #areWhole(items: readonly Item[], nodes: readonly string[]): boolean {
    const names = new Set(items.map(({ id }) => id))
    const meant = new Set(nodes)
    return [...this.#itemOf].every(([node, item]) => !names.has(item) || meant.has(node))
  }

  places(regions: ReadonlySet<string>): LaidOut {
    const items = [...this.#items.values()]
    const all = layOut(
      items,
      this.#wires((item) => this.#items.has(item))
    )
    const corners = new Map<string, Point>()
    const sizes = new Map<string, Size>()
    const place = (id: string, at: Point) => {
      const inside = this.#insides.get(id)
      if (inside === undefined || regions.has(id)) corners.set(id, at)
      if (inside === undefined) return
      if (regions.has(id)) sizes.set(id, { width: inside.width, height: inside.height })
      for (const [item, { x, y }] of inside.offsets) place(item, { x: at.x + x, y: at.y + y })
    }
    for (const { id } of items) place(id, all.get(id)!)
    return { corners, sizes }
  }

  /** The wires between items, without those within one or to what is not laid out. */
  #wires(isMeant: (item: string) => boolean): Wire[] {
    const itemOf = (end: string) => {
      const item = this.#itemOf.get(nodeOfEnd(end))
      return item !== undefined && isMeant(item) ? item : undefined
    }
    return this.#flow.edges.flatMap((edge) => {
      const [source, target] = [itemOf(edge.from), itemOf(edge.to)]
      return source === undefined || target === undefined || source === target
        ? []
        : [{ ...edge, source, target }]
    })
  }
}

function nodeItem(id: string, { sizes, portAt }: Measures): Item {
  const size = sizes.get(id) ?? USUAL_SIZE
  return { id, ...size, portAt: (side, end) => portOf(end, side, portAt) ?? size.height / 2 }
}

interface Before {
  readonly itemOf: ReadonlyMap<string, string>
  /** The item of the region's own node, which has its outer ports. */
  readonly own: Item | undefined
}

function foldedItem(
  id: string,
  { width, height, offsets }: Inside,
  within: ReadonlyMap<string, Item>,
  { itemOf, own }: Before
): Item {
  return {
    id,
    width,
    height,
    portAt: (side, end) => {
      const node = nodeOfEnd(end)
      if (node === id && own !== undefined) return own.portAt(side, end)
      const item = itemOf.get(node) ?? node
      return (offsets.get(item)?.y ?? 0) + (within.get(item)?.portAt(side, end) ?? 0)
    }
  }
}

function portOf(text: string, side: 'input' | 'output', portAt: Measures['portAt']): number | undefined {
  const end = parseEnd(text)
  return end === undefined ? undefined : portAt?.(end.node, side, end.port)
}
