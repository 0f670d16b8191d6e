import type { Point } from '../../../editor/graph/flow.ts'
import type { Rectangle } from '../../../editor/wiring/wire-geometry.ts'

/** How a map of a flow lies on its sheet. */
export interface MapScale {
  readonly scale: number
  /** Where the origin of the canvas is on the sheet. */
  readonly origin: Point
}

const PADDING = 8

/** All that there is, and what is in sight, on a sheet of this size. */
export function mapScale(
  parts: readonly Rectangle[],
  view: Rectangle,
  sheet: { width: number; height: number }
): MapScale {
  const all = [...parts, view]
  const left = Math.min(...all.map(({ x }) => x))
  const top = Math.min(...all.map(({ y }) => y))
  const right = Math.max(...all.map(({ x, width }) => x + width))
  const bottom = Math.max(...all.map(({ y, height }) => y + height))
  const [width, height] = [Math.max(1, right - left), Math.max(1, bottom - top)]
  const scale = Math.min((sheet.width - 2 * PADDING) / width, (sheet.height - 2 * PADDING) / height)
  return {
    scale,
    origin: {
      x: (sheet.width - width * scale) / 2 - left * scale,
      y: (sheet.height - height * scale) / 2 - top * scale
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
