import { useStoreApi } from '@xyflow/react'
import { useLayoutEffect, useRef } from 'react'
import classes from './canvas.module.css'

/** The distance of the dots at 100 %. */
const GAP = 24

/** Dots that stand nearer to each other than this are noise. */
const NEAREST = 12

/**
 * Dots under the flow, so that the eye sees the canvas move. The canvas' own are painted again in every frame, which
 * takes 40 ms without a graphics card. These are painted once and shifted by less than one gap, without React.
 */
export function CanvasGround() {
  const store = useStoreApi()
  const ground = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    let painted = 0
    const follow = () => {
      const element = ground.current
      if (element === null) return
      const [x, y, zoom] = store.getState().transform
      const gap = gapAt(zoom)
      if (gap !== painted) element.style.backgroundSize = `${gap}px ${gap}px`
      painted = gap
      element.style.transform = `translate(${shiftOf(x, gap)}px, ${shiftOf(y, gap)}px)`
    }
    follow()
    return store.subscribe((now, before) => {
      if (now.transform !== before.transform) follow()
    })
  }, [store])
  return <div ref={ground} className={classes.ground} aria-hidden />
}

/** From further away, every second dot is left out, and of these every second again. */
function gapAt(zoom: number): number {
  let gap = GAP * zoom
  while (gap < NEAREST) gap *= 2
  return Math.round(gap)
}

/** Between minus one gap and zero: the ground is one gap larger than the canvas. */
function shiftOf(offset: number, gap: number): number {
  return (((offset % gap) + gap) % gap) - gap
}
