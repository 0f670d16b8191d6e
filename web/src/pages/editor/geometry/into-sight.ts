interface Rectangle {
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
 * canvas got smaller: a panel that is about it must not cover the rest.
 */
export function isPushedOut(before: Seen, now: Seen): boolean {
  const isSmaller = now.width < before.width || now.height < before.height
  return (
    before.id === now.id &&
    before.box.x === now.box.x &&
    before.box.y === now.box.y &&
    before.transform.every((value, index) => value === now.transform[index]) &&
    (isSmaller ? isTouched(before.box, before) : isWhole(before.box, before)) &&
    !isWhole(now.box, now)
  )
}

/** How far to shift the canvas so that a part is in sight; of one that does not fit, its beginning. */
export function shiftIntoSight(part: Rectangle, sight: Sight): { readonly x: number; readonly y: number } {
  const { left, top, right, bottom } = onScreen(part, sight)
  return { x: shift(left, right, sight.width - MARGIN), y: shift(top, bottom, sight.height - MARGIN_BELOW) }
}

function shift(from: number, to: number, end: number): number {
  const back = Math.min(0, end - to)
  return from + back < MARGIN ? MARGIN - from : back
}

function onScreen({ x, y, width, height }: Rectangle, { transform: [left, top, zoom] }: Sight) {
  const [screenX, screenY] = [x * zoom + left, y * zoom + top]
  return { left: screenX, top: screenY, right: screenX + width * zoom, bottom: screenY + height * zoom }
}
