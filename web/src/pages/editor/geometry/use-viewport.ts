import { type ReactFlowInstance, useReactFlow, useStoreApi, type Viewport } from '@xyflow/react'
import { useEffect, useMemo } from 'react'
import { hiddenNodes } from '../../../editor/regions/regions.ts'
import { isField } from '../../../shell/shortcut-keys.ts'
import { useEditorSession } from '../session/session-context.ts'
import type { CanvasMotion } from './canvas-distance.ts'
import type { CanvasPart } from './canvas-parts.ts'
import type { CanvasWire } from './canvas-wires.ts'
import { firstView, READABLE_ZOOM } from './first-view.ts'

/** See canvas.module.css. Not by React, which would look at the whole canvas before its first step. */
const MOVING = 'data-moving'

/** How many frames a part that came into view may take to be drawn. */
const MAX_FRAMES_TO_DRAW = 60

/** What is in sight: all at first, then what was in sight when the flow was last open, then what somebody goes to. */
export function useViewport(motion: CanvasMotion) {
  const session = useEditorSession()
  const { getInternalNode, setCenter, getZoom } = useReactFlow<CanvasPart, CanvasWire>()
  const store = useStoreApi()
  useEffect(
    () =>
      session.onGoTo((meant) => {
        // What stands in a region that is collapsed is not drawn; the region is.
        const id = hiddenNodes(session.state().flow).get(meant) ?? meant
        const bringIntoView = (frames: number) => {
          const part = getInternalNode(id)
          // What was added in this moment is not measured yet.
          if (part === undefined) {
            if (frames > 0) requestAnimationFrame(() => bringIntoView(frames - 1))
            return
          }
          if (isInView(part, store.getState())) return
          const { x, y } = part.internals.positionAbsolute
          const { width = 0, height = 0 } = part.measured
          void setCenter(x + width / 2, y + height / 2, { zoom: Math.max(getZoom(), READABLE_ZOOM) })
        }
        bringIntoView(MAX_FRAMES_TO_DRAW)
        focusWhenDrawn(id)
      }),
    [session, store, getInternalNode, setCenter, getZoom]
  )
  return useMemo(() => {
    const key = `millrace.viewport.${session.pictureId}`
    const kept = readViewport(key)
    return {
      ...(kept === undefined ? firstView(session.state().flow) : { defaultViewport: kept }),
      onMoveStart: () => {
        motion.begin()
        store.getState().domNode?.setAttribute(MOVING, '')
      },
      onMoveEnd: (_event: unknown, viewport: Viewport) => {
        motion.end()
        store.getState().domNode?.removeAttribute(MOVING)
        sessionStorage.setItem(key, JSON.stringify(viewport))
      }
    }
  }, [session, motion, store])
}

function readViewport(key: string): Viewport | undefined {
  try {
    const { x, y, zoom } = JSON.parse(sessionStorage.getItem(key) ?? '') as Viewport
    return [x, y, zoom].every(Number.isFinite) ? { x, y, zoom } : undefined
  } catch {
    return undefined
  }
}

type Part = NonNullable<ReturnType<ReactFlowInstance<CanvasPart, CanvasWire>['getInternalNode']>>

function isInView(
  { internals, measured }: Part,
  {
    transform: [left, top, zoom],
    width,
    height
  }: { transform: readonly [number, number, number]; width: number; height: number }
): boolean {
  const x = internals.positionAbsolute.x * zoom + left
  const y = internals.positionAbsolute.y * zoom + top
  const isInside = x >= 0 && y >= 0 && x + (measured.width ?? 0) * zoom <= width
  return isInside && y + (measured.height ?? 0) * zoom <= height && zoom >= READABLE_ZOOM / 2
}

/**
 * What is out of sight is not drawn, so a part that was gone to may take a moment to be there. Whoever types in a field
 * by then, such as that of quick add for the next node, keeps the focus there.
 */
function focusWhenDrawn(id: string): void {
  const before = document.activeElement
  const tryFor = (frames: number) => {
    const part = document.querySelector<HTMLElement>(`[data-canvas] [data-node="${CSS.escape(id)}"]`)
    const now = document.activeElement
    if (part?.contains(now) === true || (now !== before && isField(now))) return
    if (part !== null) part.focus({ preventScroll: true })
    else if (frames > 0) requestAnimationFrame(() => tryFor(frames - 1))
  }
  tryFor(MAX_FRAMES_TO_DRAW)
}
