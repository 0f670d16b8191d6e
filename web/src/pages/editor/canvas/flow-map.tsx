import { Panel, type ReactFlowState, useReactFlow, useStore, useStoreApi } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { lookOf } from '../../../design/state-badge.tsx'
import { type NodeRun, useEditor } from '../editor-context.ts'
import classes from './canvas.module.css'
import type { CanvasPart, CanvasWire } from './canvas-parts.ts'
import { fromMap, type MapScale, mapScale, onMap, viewOf } from './map-geometry.ts'

const SHEET = { width: 200, height: 140 }

/**
 * The whole flow in a corner; where it is pressed, the canvas goes. Drawn by hand and once a frame at most: the canvas'
 * own map keeps an element for every node, which costs more than the nodes in sight.
 */
export function FlowMap() {
  const editor = useEditor()
  const store = useStoreApi<CanvasPart, CanvasWire>()
  const { setCenter, getZoom } = useReactFlow()
  const sheet = useRef<HTMLCanvasElement>(null)
  const isEmpty = useStore(({ nodes }) => nodes.length === 0)
  const scale = useRef<MapScale>({ scale: 1, origin: { x: 0, y: 0 } })
  useEffect(() => {
    let frame = 0
    let colours: Colours | undefined
    const draw = () => {
      frame = 0
      if (sheet.current === null) return
      colours ??= coloursOf(sheet.current)
      const steps = editor.state().run?.steps
      scale.current = drawMap(sheet.current, store.getState(), { colours, steps })
    }
    const drawSoon = () => {
      if (frame === 0) frame = requestAnimationFrame(draw)
    }
    drawSoon()
    const unwatch = [store.subscribe(drawSoon), editor.watch(drawSoon)]
    const scheme = new MutationObserver(() => {
      colours = undefined
      drawSoon()
    })
    scheme.observe(document.documentElement, { attributes: true })
    return () => {
      cancelAnimationFrame(frame)
      scheme.disconnect()
      for (const end of unwatch) end()
    }
  }, [store, editor])
  const goTo = (event: React.PointerEvent<HTMLCanvasElement>) => {
    if (event.buttons !== 1) return
    const box = event.currentTarget.getBoundingClientRect()
    const { x, y } = fromMap({ x: event.clientX - box.left, y: event.clientY - box.top }, scale.current)
    void setCenter(x, y, { zoom: getZoom() })
  }
  if (isEmpty) return null
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
    </Panel>
  )
}

type CanvasState = ReactFlowState<CanvasPart, CanvasWire>

interface Looks {
  readonly colours: Colours
  readonly steps: ReadonlyMap<string, NodeRun> | undefined
}

function drawMap(sheet: HTMLCanvasElement, state: CanvasState, { colours, steps }: Looks): MapScale {
  const pixel = window.devicePixelRatio
  if (sheet.width !== SHEET.width * pixel) {
    sheet.width = SHEET.width * pixel
    sheet.height = SHEET.height * pixel
  }
  const parts = [...state.nodeLookup.values()].map(({ id, type, internals, measured }) => {
    const { width = 0, height = 0 } = measured
    return { id, type, box: { ...internals.positionAbsolute, width, height } }
  })
  const view = viewOf(state.transform, state.width, state.height)
  const scale = mapScale(
    parts.map(({ box }) => box),
    view,
    SHEET
  )
  const pen = sheet.getContext('2d')!
  pen.setTransform(pixel, 0, 0, pixel, 0, 0)
  pen.clearRect(0, 0, SHEET.width, SHEET.height)
  for (const { id, type, box } of parts) {
    const { x, y, width, height } = onMap(box, scale)
    pen.fillStyle = type === 'note' ? colours.note : colourOf(steps?.get(id)?.status, colours)
    pen.fillRect(x, y, width, height)
  }
  const { x, y, width, height } = onMap(view, scale)
  pen.strokeStyle = colours.view
  pen.lineWidth = 1.5
  pen.strokeRect(x, y, width, height)
  return scale
}

type Colours = ReturnType<typeof coloursOf>

/** They change with the theme, and reading them makes the browser look at all styles. */
function coloursOf(element: HTMLElement) {
  const style = getComputedStyle(element)
  const read = (name: string) => style.getPropertyValue(name).trim()
  return {
    part: read('--border-strong'),
    note: read('--mark'),
    failed: read('--state-failed'),
    running: read('--state-running'),
    view: read('--accent')
  }
}

/** What went well needs no colour: the eye is to find what did not. */
function colourOf(status: string | undefined, colours: Colours): string {
  const { tone } = lookOf(status ?? '')
  return tone === 'failed' || tone === 'running' ? colours[tone] : colours.part
}
