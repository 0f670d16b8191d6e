import type { Command } from '../commands/command.ts'
import type { Point, Size } from '../graph/flow.ts'

export type Side = 'left' | 'centre' | 'right' | 'top' | 'middle' | 'bottom'
export type Direction = 'horizontally' | 'vertically'

/** A part on the canvas, as much of it as matters here. */
export interface Box extends Point, Size {
  readonly id: string
}

/** How many parts it takes until there is something to do. */
export const LEAST = { align: 2, distribute: 3 } as const

/** Puts a side of all parts on one line: that of the outermost one, or of the middle of all. */
export function align(boxes: readonly Box[], side: Side): Command {
  const [axis, share] = LINES[side]
  const { start, end } = spanOf(boxes, axis)
  const line = start + (end - start) * share
  const places = boxes.map((box) => placed(box, axis, line - box[LENGTHS[axis]] * share))
  return moveTo(places, `Align ${side}`)
}

/** The outermost parts stay; between all of them the gaps become equal. */
export function distribute(boxes: readonly Box[], direction: Direction): Command {
  const axis = direction === 'horizontally' ? 'x' : 'y'
  const middle = (box: Box) => box[axis] + box[LENGTHS[axis]] / 2
  const inOrder = boxes.toSorted((one, other) => middle(one) - middle(other))
  const { start, end } = spanOf(boxes, axis)
  const taken = boxes.reduce((sum, box) => sum + box[LENGTHS[axis]], 0)
  // Where they take more room than there is, they overlap by the same.
  const gap = (end - start - taken) / (boxes.length - 1)
  let at = start
  const places = inOrder.map((box) => {
    const place = placed(box, axis, at)
    at += box[LENGTHS[axis]] + gap
    return place
  })
  return moveTo(places, `Distribute ${direction}`)
}

type Axis = 'x' | 'y'

const LENGTHS = { x: 'width', y: 'height' } as const

/** The axis of each side, and how far along a part it is. */
const LINES: Readonly<Record<Side, readonly [Axis, number]>> = {
  left: ['x', 0],
  centre: ['x', 0.5],
  right: ['x', 1],
  top: ['y', 0],
  middle: ['y', 0.5],
  bottom: ['y', 1]
}

function spanOf(boxes: readonly Box[], axis: Axis): { start: number; end: number } {
  return {
    start: Math.min(...boxes.map((box) => box[axis])),
    end: Math.max(...boxes.map((box) => box[axis] + box[LENGTHS[axis]]))
  }
}

function placed({ id, x, y }: Box, axis: Axis, at: number): readonly [string, Point] {
  return [id, { x, y, [axis]: Math.round(at) }]
}

function moveTo(places: readonly (readonly [string, Point])[], label: string): Command {
  return { kind: 'all', commands: [{ kind: 'move', positions: Object.fromEntries(places) }], label }
}
