import type { Point } from '../../../editor/graph/flow.ts'
import type { Rectangle } from '../../../editor/wiring/wire-geometry.ts'

/** How a map of a flow lies on its sheet. */
export interface MapScale {
  readonly scale: number
  /** Where the origin of the canvas is on the sheet. */
  readonly origin: Point
}

const PADDING = 8

/** What holds all of them. */
export function boundsOf(parts: readonly Rectangle[]): Rectangle {
  const x = Math.min(...parts.map((part) => part.x))
  const y = Math.min(...parts.map((part) => part.y))
  const right = Math.max(...parts.map((part) => part.x + part.width))
  const bottom = Math.max(...parts.map((part) => part.y + part.height))
  return { x, y, width: right - x, height: bottom - y }
}

/** All that there is, and what is in sight, on a sheet of this size. */
export function mapScale(
  parts: readonly Rectangle[],
  view: Rectangle,
  sheet: { width: number; height: number }
): MapScale {
  const all = boundsOf([...parts, view])
  const [width, height] = [Math.max(1, all.width), Math.max(1, all.height)]
  const scale = Math.min((sheet.width - 2 * PADDING) / width, (sheet.height - 2 * PADDING) / height)
  return {
    scale,
    origin: {
      x: (sheet.width - width * scale) / 2 - all.x * scale,
      y: (sheet.height - height * scale) / 2 - all.y * scale
    }
  }
}

export function onMap({ x, y, width, height }: Rectangle, { scale, origin }: MapScale): Rectangle {
  return {
    x: origin.x + x * scale,
    y: origin.y + y * scale,
    // What is there is seen, however small it is.
    width: Math.max(2, width * scale),
    height: Math.max(2, height * scale)
  }
}

/** The place on the canvas that a place on the map stands for. */
export function fromMap({ x, y }: Point, { scale, origin }: MapScale): Point {
  return { x: (x - origin.x) / scale, y: (y - origin.y) / scale }
}

/** What is in sight, in the canvas' own coordinates. */
export function viewOf(
  [x, y, zoom]: readonly [number, number, number],
  width: number,
  height: number
): Rectangle {
  return { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom }
}
