import { useReactFlow, useStoreApi } from '@xyflow/react'
import { useEffect } from 'react'
import type { CanvasPart } from '../geometry/canvas-parts.ts'
import type { CanvasWire } from '../geometry/canvas-wires.ts'
import { intoSight, isTouched, isWhole, type Sight } from '../geometry/into-sight.ts'
import { boxOf, wiredBoxes } from '../geometry/wired-boxes.ts'
import { useEditorSession } from '../session/session-context.ts'

/**
 * What the inspector is about is seen beside it with what that is wired to, also where it was clicked at the rim. At the click: a
 * drag begins before it.
 */
export function useSeenBeside(): void {
  const session = useEditorSession()
  const store = useStoreApi<CanvasPart, CanvasWire>()
  const { setViewport } = useReactFlow()
  useEffect(() => {
    const onClick = ({ target }: MouseEvent) => {
      const id = target instanceof Element && target.closest<HTMLElement>('[data-node]')?.dataset.node
      const { selection, inspector } = session.state()
      if (!id || inspector !== 'side' || selection.parts.size > 1 || !selection.parts.has(id)) return
      const { nodeLookup, domNode, ...sight } = store.getState()
      const part = nodeLookup.get(id)
      // The clicked place of a frame says more than where it begins.
      if (part?.type !== 'component') return
      const box = boxOf(part)
      const wired = wiredBoxes(session.state().flow, id, nodeLookup)
      const covered = wired.filter(
        (other) => !isWhole(other, sight) && isTouched(other, withoutPanels(sight, domNode))
      )
      if (isWhole(box, sight) && covered.length === 0) return
      const seen = wired.filter((other) => isWhole(other, sight) || covered.includes(other))
      const [x, y, zoom] = intoSight(box, seen, sight)
      void setViewport({ x, y, zoom })
    }
    document.addEventListener('click', onClick)
    return () => document.removeEventListener('click', onClick)
  }, [session, store, setViewport])
}

/** With the room that a panel has on the right, or on a phone below. */
function withoutPanels(sight: Sight, canvas: Element | null): Sight {
  const { left = 0, top = 0 } = canvas?.getBoundingClientRect() ?? {}
  return { ...sight, width: innerWidth - left, height: innerHeight - top }
}
