import { useReactFlow, useStoreApi } from '@xyflow/react'
import { useEffect } from 'react'
import type { CanvasPart, CanvasWire } from '../geometry/canvas-parts.ts'
import { isWhole } from '../geometry/into-sight.ts'
import { FIT } from '../geometry/use-viewport.ts'

/** Whatever somebody begins with: from then on, the canvas is theirs. */
const FIRST_TOUCHES = ['pointerdown', 'wheel', 'keydown'] as const

/**
 * A flow that was fitted into sight when it was opened stays so while its nodes grow by what arrives after them: the
 * previews of templates, and what the last run left.
 */
export function useFirstFit(isFitted: boolean): void {
  const store = useStoreApi<CanvasPart, CanvasWire>()
  const { fitView, getNodesBounds } = useReactFlow<CanvasPart, CanvasWire>()
  useEffect(() => {
    if (!isFitted) return
    let wasWhole = false
    const unsubscribe = store.subscribe(({ nodes, transform, width, height }) => {
      if (isWhole(getNodesBounds(nodes), { transform, width, height })) wasWhole = true
      else if (wasWhole) {
        wasWhole = false
        void fitView(FIT)
      }
    })
    for (const touch of FIRST_TOUCHES) window.addEventListener(touch, unsubscribe, { capture: true })
    return () => {
      unsubscribe()
      for (const touch of FIRST_TOUCHES) window.removeEventListener(touch, unsubscribe, { capture: true })
    }
  }, [isFitted, store, fitView, getNodesBounds])
}
