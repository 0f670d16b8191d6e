import type { FitViewOptions } from '@xyflow/react'
import { type Flow, notesOf } from '../../../editor/graph/flow.ts'

/**
 * Room around what is fitted into view, above and below it for what lies over the canvas there: the last run, and the
 * buttons for the zoom. No nearer than at its own size.
 */
export const FIT = { padding: { x: 0.12, y: '64px' }, maxZoom: 1 } satisfies FitViewOptions

/** A node is shown at a size at which it can be read. */
export const READABLE_ZOOM = 0.7

/** A flow beyond this size would be fitted too small to be read. */
const WIDEST_FIT = 2600
const HIGHEST_FIT = 1600

/** From the corner of the canvas to the first part. */
const MARGIN = 48

/** All of it, where that can be read; of a large flow, its beginning. */
export function firstView(flow: Flow) {
  const parts = [...flow.nodes, ...notesOf(flow)]
  // Nothing to fit: the canvas would wait for the first node, and jump when it is dropped.
  if (parts.length === 0) return {}
  const [left, top] = [
    Math.min(...parts.map(({ position }) => position.x)),
    Math.min(...parts.map(({ position }) => position.y))
  ]
  const width = Math.max(...parts.map(({ position }) => position.x)) - left
  const height = Math.max(...parts.map(({ position }) => position.y)) - top
  const isLarge = width > WIDEST_FIT || height > HIGHEST_FIT
  if (isLarge) return { defaultViewport: beginning(left, top, READABLE_ZOOM) }
  // Only what is in sight is drawn, and nothing is fitted before something is drawn.
  return { fitView: true, fitViewOptions: FIT, defaultViewport: beginning(left, top, 1) }
}

function beginning(left: number, top: number, zoom: number) {
  return { x: MARGIN - left * zoom, y: MARGIN - top * zoom, zoom }
}
