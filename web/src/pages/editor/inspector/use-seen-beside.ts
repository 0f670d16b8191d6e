import { useReactFlow, useStoreApi } from '@xyflow/react'
import { useEffect } from 'react'
import type { CanvasPart, CanvasWire } from '../geometry/canvas-parts.ts'
import { isWhole, shiftIntoSight } from '../geometry/into-sight.ts'
import { useEditorSession } from '../session/session-context.ts'

/** What the inspector is about is seen beside it, also where it was clicked at the rim. At the click: a drag begins before it. */
export function useSeenBeside(): void {
  const session = useEditorSession()
  const store = useStoreApi<CanvasPart, CanvasWire>()
  const { setViewport } = useReactFlow()
  useEffect(() => {
    const onClick = ({ target }: MouseEvent) => {
      const id = target instanceof Element && target.closest<HTMLElement>('[data-node]')?.dataset.node
      const { selection, inspector } = session.state()
      if (!id || inspector !== 'side' || selection.parts.size > 1 || !selection.parts.has(id)) return
      const { nodeLookup, ...sight } = store.getState()
      const part = nodeLookup.get(id)
      // The clicked place of a frame says more than where it begins.
      if (part?.type !== 'component') return
      const { width = 0, height = 0 } = part.measured
      const box = { ...part.internals.positionAbsolute, width, height }
      if (isWhole(box, sight)) return
      const [left, top, zoom] = sight.transform
      const { x, y } = shiftIntoSight(box, sight)
      void setViewport({ x: left + x, y: top + y, zoom })
    }
    document.addEventListener('click', onClick)
    return () => document.removeEventListener('click', onClick)
  }, [session, store, setViewport])
}
