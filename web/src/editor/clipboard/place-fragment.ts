import type { Fragment } from '../commands/command.ts'
import { type Flow, notesOf, type Point } from '../graph/flow.ts'
import { REGION_SIZE } from '../regions/regions.ts'

/** How far a copy stands from what it is a copy of. */
const STEP = 32

/** Puts a fragment where its upper left corner is at a point; all keep their places to each other. */
export function placeAt(fragment: Fragment, corner: Point): Fragment {
  const places = [...fragment.nodes, ...fragment.notes].map(({ position }) => position)
  if (places.length === 0) return fragment
  const left = Math.min(...places.map(({ x }) => x))
  const top = Math.min(...places.map(({ y }) => y))
  return shift(fragment, { x: corner.x - left, y: corner.y - top })
}

/** The same, a step further off each time that something lies exactly there: what is pasted twice is seen twice. */
export function placeFreely(fragment: Fragment, corner: Point, flow: Flow): Fragment {
  const taken = takenPlaces(flow)
  for (let offset = 0; ; offset += STEP) {
    const placed = placeAt(fragment, { x: corner.x + offset, y: corner.y + offset })
    const parts = [...placed.nodes, ...placed.notes]
    if (parts.every(({ position }) => !taken.has(placeKey(position)))) return placed
  }
}

/** Puts a fragment a little off, further each time, so that no copy lies exactly on another one. */
export function placeBeside(fragment: Fragment, flow: Flow): Fragment {
  const taken = takenPlaces(flow)
  // The copy of a frame stands below it: within it, it would look as if it stood in it.
  const frames = fragment.nodes.filter(({ id }) => fragment.nodes.some(({ parent }) => parent === id))
  const below = frames.map(({ size = REGION_SIZE }) => size.height + STEP)
  if (below.length > 0) return shift(fragment, { x: 0, y: Math.max(...below) })
  const places = [...fragment.nodes, ...fragment.notes].map(({ position }) => position)
  for (let offset = STEP; ; offset += STEP) {
    const isFree = places.every(({ x, y }) => !taken.has(placeKey({ x: x + offset, y: y + offset })))
    if (isFree) return shift(fragment, { x: offset, y: offset })
  }
}

function shift(fragment: Fragment, { x, y }: Point): Fragment {
  const shifted = <T extends { readonly position: Point }>(part: T): T => ({
    ...part,
    position: { x: part.position.x + x, y: part.position.y + y }
  })
  return { ...fragment, nodes: fragment.nodes.map(shifted), notes: fragment.notes.map(shifted) }
}

function takenPlaces(flow: Flow): ReadonlySet<string> {
  return new Set([...flow.nodes, ...notesOf(flow)].map(({ position }) => placeKey(position)))
}

function placeKey({ x, y }: Point): string {
  return `${x} ${y}`
}
