import { Panel, useReactFlow, useStore, useStoreApi } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { useEditor } from '../editor-context.ts'
import type { CanvasPart } from '../geometry/canvas-parts.ts'
import type { CanvasWire } from '../geometry/canvas-wires.ts'
import classes from './canvas.module.css'
import { MapDrawing, SHEET } from './map-drawing.ts'
import { fromMap } from './map-geometry.ts'

/** The map, where there is something to be seen on it. */
export function FlowMap() {
  const isEmpty = useStore(({ nodes }) => nodes.length === 0)
  return isEmpty ? null : <MapSheet />
}

/**
 * The whole flow in a corner; where it is pressed, the canvas goes. Drawn once a frame at most: the canvas' own map
 * keeps an element for every node, which costs more than the nodes in sight.
 */
function MapSheet() {
  const editor = useEditor()
  const store = useStoreApi<CanvasPart, CanvasWire>()
  const { setCenter, getZoom } = useReactFlow()
  const sheet = useRef<HTMLCanvasElement>(null)
  const view = useRef<HTMLDivElement>(null)
  const drawing = useRef<MapDrawing>(undefined)
  useEffect(() => {
    const map = new MapDrawing(sheet.current!, view.current!)
    drawing.current = map
    let frame = 0
    const draw = () => {
      frame = 0
      map.draw(store.getState(), editor.state().run?.steps)
    }
    const drawSoon = () => {
      if (frame === 0) frame = requestAnimationFrame(draw)
    }
    drawSoon()
    const unwatch = [store.subscribe(drawSoon), editor.watch(drawSoon)]
    const scheme = new MutationObserver(() => {
      map.forgetColours()
      drawSoon()
    })
    scheme.observe(document.documentElement, { attributes: true })
    return () => {
      cancelAnimationFrame(frame)
      scheme.disconnect()
      for (const end of unwatch) end()
    }
  }, [store, editor])
  const goTo = (event: React.PointerEvent<HTMLElement>) => {
    if (event.buttons !== 1 || drawing.current === undefined) return
    const box = event.currentTarget.getBoundingClientRect()
    const point = { x: event.clientX - box.left, y: event.clientY - box.top }
    const { x, y } = fromMap(point, drawing.current.scale)
    void setCenter(x, y, { zoom: getZoom() })
  }
  return (
    <Panel position="bottom-right" className={classes.map!}>
      <canvas
        ref={sheet}
        role="img"
        aria-label="Map of the flow"
        style={SHEET}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          goTo(event)
        }}
        onPointerMove={goTo}
      />
      <div ref={view} className={classes.mapView} aria-hidden />
    </Panel>
  )
}
