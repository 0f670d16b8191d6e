import type { Point } from '../../../editor/graph/flow.ts'

export type Direction = 'left' | 'right' | 'up' | 'down'

export interface Placed {
  readonly id: string
  /** The middle of the part. */
  readonly at: Point
}

/**
 * The part that an arrow key leads to: the nearest one in that direction, where straying to the side counts double,
 * so that a row is walked along before another is changed to. Undefined at the rim.
 */
export function neighbour(parts: readonly Placed[], from: Placed, direction: Direction): string | undefined {
  let best: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const { id, at } of parts) {
    if (id === from.id) continue
    const [along, aside] = offset(from.at, at, direction)
    // What lies further aside than ahead belongs to another direction.
    if (along <= 0 || Math.abs(aside) > along * 2) continue
    const distance = along + 2 * Math.abs(aside)
    if (distance < least) {
      least = distance
      best = id
    }
  }
  return best
}

function offset(from: Point, to: Point, direction: Direction): [along: number, aside: number] {
  const [x, y] = [to.x - from.x, to.y - from.y]
  switch (direction) {
    case 'right':
      return [x, y]
    case 'left':
      return [-x, y]
    case 'down':
      return [y, x]
    case 'up':
      return [-y, x]
  }
}

/** The part nearest to a point: where the keyboard begins. */
export function nearest(parts: readonly Placed[], to: Point): string | undefined {
  let best: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const { id, at } of parts) {
    const distance = Math.hypot(at.x - to.x, at.y - to.y)
    if (distance < least) {
      least = distance
      best = id
    }
  }
  return best
}
