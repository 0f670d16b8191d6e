import { lazy, Suspense, useEffect, useState } from 'react'
import { NARROW } from '../../runs/list/row-height.ts'
import { usePlaygroundDock } from './use-playground-dock.ts'

const OpenDock = lazy(() => import('./open-dock.tsx').then(({ OpenDock: part }) => ({ default: part })))

/** The Playground beside the canvas: what is said in it runs what is drawn. */
export function PlaygroundDock() {
  const { isOpen, close } = usePlaygroundDock()
  // On a phone it covers the canvas: what was left open is not what somebody opens a flow for.
  const [isLeftOpen, setLeftOpen] = useState(() => isOpen && window.matchMedia(NARROW).matches)
  useEffect(() => {
    if (!isLeftOpen) return
    close()
    setLeftOpen(false)
  }, [isLeftOpen, close])
  return isOpen && !isLeftOpen ? (
    <Suspense fallback={null}>
      <OpenDock />
    </Suspense>
  ) : null
}
