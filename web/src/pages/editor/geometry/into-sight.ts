import { READABLE_ZOOM } from './first-view.ts'

export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** What the canvas shows: how far the flow is shifted, how large it is drawn, and the canvas' own size. */
export interface Sight {
  readonly transform: readonly [x: number, y: number, zoom: number]
  readonly width: number
  readonly height: number
}

/** A part, and what the canvas shows. */
export interface Seen extends Sight {
  readonly id: string
  readonly box: Rectangle
}

/** Room that is left between a part and the rim, in pixels of the window. */
const MARGIN = 16
/** Below it more: the buttons for the zoom lie over the canvas there. */
const MARGIN_BELOW = 64

export function isWhole(part: Rectangle, sight: Sight): boolean {
  const { left, top, right, bottom } = onScreen(part, sight)
  return left >= 0 && top >= 0 && right <= sight.width && bottom <= sight.height
}

/** Whether something of it can be seen. */
export function isTouched(part: Rectangle, sight: Sight): boolean {
  const { left, top, right, bottom } = onScreen(part, sight)
  return right > 0 && bottom > 0 && left < sight.width && top < sight.height
}

/**
 * Neither the part was moved nor the canvas, and yet it is no longer in sight. Of one that was half in sight, because the
 * canvas got smaller: a panel that is about it must not cover the rest, nor what it is wired to.
 */
export function isPushedOut(before: Seen, now: Seen, neighbours: readonly Rectangle[] = []): boolean {
  const isSmaller = isMadeSmaller(before, now)
  const isLeft =
    before.id === now.id &&
    before.box.x === now.box.x &&
    before.box.y === now.box.y &&
    before.transform.every((value, index) => value === now.transform[index])
  if (!isLeft) return false
  if (isSmaller && neighbours.some((box) => isCovered(box, before, now))) return true
  return (isSmaller ? isTouched(before.box, before) : isWhole(before.box, before)) && !isWhole(now.box, now)
}

export function isMadeSmaller(before: Sight, now: Sight): boolean {
  return now.width < before.width || now.height < before.height
}

/** A panel comes from the right or from below. */
function isCovered(box: Rectangle, before: Sight, now: Sight): boolean {
  const { right, bottom } = onScreen(box, now)
  return isTouched(box, before) && (right > now.width || bottom > now.height)
}

/**
 * Where the canvas has to be so that a part is in sight, and with it as many of the others as there is room for, those that are nearest
 * first. For them it is drawn smaller, as far as it can still be read; of a part that does not fit, its beginning.
 */
export function intoSight(part: Rectangle, others: readonly Rectangle[], sight: Sight): Sight['transform'] {
  const nearest = others.toSorted((one, other) => distance(one, part) - distance(other, part))
  const [left, top, zoom] = sight.transform
  for (let count = nearest.length; count > 0; count--) {
    const box = boxAround([part, ...nearest.slice(0, count)])
    const fitting = Math.min(zoom, zoomToFit(box, sight))
    if (fitting >= Math.min(zoom, READABLE_ZOOM)) return shifted(box, zoomedAt(part, fitting, sight))
  }
  return shifted(part, { ...sight, transform: [left, top, zoom] })
}

function shifted(part: Rectangle, sight: Sight): Sight['transform'] {
  const { left, top, right, bottom } = onScreen(part, sight)
  const [x, y, zoom] = sight.transform
  return [
    x + shift(left, right, sight.width - MARGIN),
    y + shift(top, bottom, sight.height - MARGIN_BELOW),
    zoom
  ]
}

/** The part stays where it is. */
function zoomedAt({ x, y }: Rectangle, to: number, sight: Sight): Sight {
  const [left, top, zoom] = sight.transform
  return { ...sight, transform: [left + x * (zoom - to), top + y * (zoom - to), to] }
}

function zoomToFit({ width, height }: Rectangle, sight: Sight): number {
  return Math.min((sight.width - 2 * MARGIN) / width, (sight.height - MARGIN - MARGIN_BELOW) / height)
}

export function boxAround(boxes: readonly Rectangle[]): Rectangle {
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  const right = Math.max(...boxes.map((box) => box.x + box.width))
  const bottom = Math.max(...boxes.map((box) => box.y + box.height))
  return { x, y, width: right - x, height: bottom - y }
}

function distance(one: Rectangle, other: Rectangle): number {
  return Math.hypot(
    one.x + one.width / 2 - other.x - other.width / 2,
    one.y + one.height / 2 - other.y - other.height / 2
  )
}

function shift(from: number, to: number, end: number): number {
  const back = Math.min(0, end - to)
  return from + back < MARGIN ? MARGIN - from : back
}

function onScreen({ x, y, width, height }: Rectangle, { transform: [left, top, zoom] }: Sight) {
  const [screenX, screenY] = [x * zoom + left, y * zoom + top]
  return { left: screenX, top: screenY, right: screenX + width * zoom, bottom: screenY + height * zoom }
}
