import { type Node as CanvasNode, type NodeProps, Position } from '@xyflow/react'
import type { Note, Point, Size } from '../../../editor/graph/flow.ts'
import { type Frame, frameAround } from '../../../editor/groups/groups.ts'
import { handleIdOf } from '../../../editor/wiring/drawn-ports.ts'
import type { DrawnNode } from './drawn-nodes.ts'
import { nodeSize, noteSize } from './node-geometry.ts'
import { type Frames, framesOfRegions, placeOfPort } from './region-geometry.ts'

/** A node or a note, in the canvas' words. */
export type CanvasPart =
  | CanvasNode<{ drawn: DrawnNode }, 'component'>
  | CanvasNode<{ drawn: DrawnNode }, 'region'>
  | CanvasNode<{ note: Note }, 'note'>
  | CanvasNode<{ group: Note }, 'group'>

export type RegionViewProps = Pick<
  NodeProps<Extract<CanvasPart, { type?: 'region' }>>,
  'data' | 'selected' | 'width' | 'height'
>

interface Placing {
  readonly selected: ReadonlySet<string>
  /** Sizes as the browser has measured them. */
  readonly sizes: ReadonlyMap<string, Size>
  /** Where parts are while they are dragged. */
  readonly moving: ReadonlyMap<string, Point>
}

interface Made {
  readonly source: DrawnNode | Note
  readonly selected: boolean
  readonly size: Size | undefined
  readonly position: Point
  readonly part: CanvasPart
}

/**
 * Turns what is drawn into the canvas' own objects. Those that nothing happened to are the same objects again: the
 * canvas looks at every one of them on every change, and stops where it is the one that it knows.
 */
export class CanvasParts {
  #made = new Map<string, Made>()

  of(nodes: readonly DrawnNode[], notes: readonly Note[], placing: Placing): CanvasPart[] {
    const before = this.#made
    this.#made = new Map()
    const make = (
      id: string,
      source: DrawnNode | Note,
      at: Point,
      by: (made: Omit<Made, 'part'>) => CanvasPart
    ) => {
      const selected = placing.selected.has(id)
      const size = placing.sizes.get(id)
      const position = placing.moving.get(id) ?? at
      const known = before.get(id)
      const isSame =
        known?.source === source &&
        known.selected === selected &&
        known.size === size &&
        known.position === position
      const made = { source, selected, size, position }
      const part = isSame ? known.part : by(made)
      this.#made.set(id, { ...made, part })
      return part
    }
    const regions = framesOfRegions(nodes, placing.moving)
    const frames = framesOf(nodes, notes, placing, regions)
    const drawFrame = (
      id: string,
      source: DrawnNode | Note,
      frame: Frame,
      by: (selected: boolean) => CanvasPart
    ) => {
      const selected = placing.selected.has(id)
      const known = before.get(id)
      const isSame =
        known?.source === source &&
        known.selected === selected &&
        isSamePlace(known.position, frame) &&
        known.size?.width === frame.width &&
        known.size.height === frame.height
      const made = { source, selected, size: frame, position: frame }
      const part = isSame ? known.part : by(selected)
      this.#made.set(id, { ...made, part })
      return part
    }
    const areFew = placing.moving.size <= MOST_LAYERS
    const drawNode = (drawn: DrawnNode) =>
      make(drawn.node.id, drawn, drawn.node.position, (made) => {
        const part = nodePart(drawn, made)
        return areFew && placing.moving.has(drawn.node.id)
          ? { ...part, style: draggedFrom(drawn.node.position, made.position) }
          : part
      })
    return [
      // Notes lie under the nodes, and groups under both.
      ...notes.map((note) => {
        const frame = frames.get(note.id)
        if (frame !== undefined)
          return drawFrame(note.id, note, frame, (selected) => groupPart(note, frame, selected))
        return make(note.id, note, note.position, (made) => notePart(note, made))
      }),
      // A region lies under what stands in it.
      ...[...regions].map(([id, frame]) => {
        const drawn = nodes.find(({ node }) => node.id === id)!
        return drawFrame(id, drawn, frame, (selected) => regionPart(drawn, frame, selected))
      }),
      ...(regions.size === 0 ? nodes : nodes.filter((drawn) => !regions.has(drawn.node.id))).map(drawNode)
    ]
  }
}

/** The frames of groups, around their nodes as they stand at the moment. */
function framesOf(
  nodes: readonly DrawnNode[],
  notes: readonly Note[],
  { sizes, moving }: Placing,
  regions: Frames
): Map<string, Frame> {
  const groups = notes.filter((note) => note.nodes !== undefined)
  if (groups.length === 0) return new Map()
  const byId = new Map(nodes.map((drawn) => [drawn.node.id, drawn]))
  return new Map(
    groups.flatMap(({ id, nodes: members }) => {
      const boxes = members!.flatMap((member) => {
        const drawn = byId.get(member)
        if (drawn === undefined) return []
        const region = regions.get(member)
        if (region !== undefined) return [region]
        return [{ ...(moving.get(member) ?? drawn.node.position), ...(sizes.get(member) ?? nodeSize(drawn)) }]
      })
      return boxes.length === 0 ? [] : [[id, frameAround(boxes)] as const]
    })
  )
}

function isSamePlace(one: Point, other: Point): boolean {
  return one.x === other.x && one.y === other.y
}

function groupPart(group: Note, { x, y, width, height }: Frame, selected: boolean): CanvasPart {
  const position = { x, y }
  return {
    id: group.id,
    type: 'group',
    position,
    selected,
    width,
    height,
    measured: { width, height },
    // Wires and the ground within the frame are worked with as ever; it is moved by its title.
    style: { ...placedBy(position), pointerEvents: 'none' },
    handles: [],
    // The canvas lifts what is selected by a thousand, and a frame is to stay behind its nodes all the same.
    zIndex: -2_000,
    data: { group }
  }
}

function regionPart(drawn: DrawnNode, { x, y, width, height }: Frame, selected: boolean): CanvasPart {
  const position = { x, y }
  return {
    id: drawn.node.id,
    type: 'region',
    position,
    selected,
    width,
    height,
    measured: { width, height },
    // As with a group: what is within the frame is worked with as ever.
    style: { ...placedBy(position), pointerEvents: 'none' },
    handles: handlesOf(drawn, { width, height }),
    // The canvas lifts what is selected by a thousand; the frame is to stay under its nodes, and over the wires to its ports.
    zIndex: selected ? -1_000 : 0,
    data: { drawn }
  }
}

function handlesOf(drawn: DrawnNode, size?: Size) {
  const placed = (type: 'source' | 'target', name: string) =>
    handle(type, name, placeOfPort(drawn, size, type === 'target' ? 'input' : 'output', name)!)
  return [
    ...drawn.inputs.map((port) => placed('target', handleIdOf(port))),
    ...drawn.outputs.map((port) => placed('source', handleIdOf(port)))
  ]
}

function nodePart(drawn: DrawnNode, { selected, size, position }: Omit<Made, 'part'>): CanvasPart {
  return {
    id: drawn.node.id,
    type: 'component',
    position,
    selected,
    measured: size ?? nodeSize(drawn),
    style: placedBy(position),
    handles: handlesOf(drawn),
    data: { drawn }
  }
}

/**
 * Not by a transform, as the canvas would: a thousand of those cost the browser 20 ms in every frame that the canvas is
 * panned, in which it sorts what it paints into layers.
 */
function placedBy({ x, y }: Point): React.CSSProperties {
  return { left: x, top: y, transform: 'none' }
}

/** Each is a picture of its own that the browser shifts: a thousand of them would be more than it can lay over one another. */
const MOST_LAYERS = 20

/** From where it stands in the flow. Another place would make the browser lay out all nodes, in every frame. */
function draggedFrom(rest: Point, { x, y }: Point): React.CSSProperties {
  return {
    left: rest.x,
    top: rest.y,
    transform: `translate(${x - rest.x}px, ${y - rest.y}px)`,
    willChange: 'transform'
  }
}

function handle(type: 'source' | 'target', id: string, { x, y }: Point) {
  const position = type === 'target' ? Position.Left : Position.Right
  return { id, type, position, x: x - 0.5, y: y - 0.5, width: 1, height: 1 }
}

function notePart(note: Note, { selected, size, position }: Omit<Made, 'part'>): CanvasPart {
  const { width, height } = noteSize(note)
  return {
    id: note.id,
    type: 'note',
    position,
    selected,
    width,
    height,
    measured: size ?? { width, height },
    style: placedBy(position),
    handles: [],
    zIndex: -1,
    data: { note }
  }
}

/** How big the parts on the canvas are. */
export function sizesOf(parts: readonly CanvasPart[]): Map<string, Size> {
  return new Map(
    parts.map(({ id, measured }) => [id, { width: measured?.width ?? 0, height: measured?.height ?? 0 }])
  )
}
