import type { ReactFlowState } from '@xyflow/react'
import { appearanceOf } from '../../../design/state-badge.tsx'
import type { Rectangle } from '../../../editor/wiring/wire-geometry.ts'
import type { NodeRun } from '../editor-context.ts'
import type { CanvasPart } from '../geometry/canvas-parts.ts'
import type { CanvasWire } from '../geometry/canvas-wires.ts'
import { boundsOf, type MapScale, mapScale, onMap, viewOf } from './map-geometry.ts'

export const SHEET = { width: 200, height: 140 }

type CanvasState = ReactFlowState<CanvasPart, CanvasWire>
type Steps = ReadonlyMap<string, NodeRun> | undefined

interface Part {
  readonly id: string
  readonly isNote: boolean
  readonly isFrame: boolean
  readonly box: Rectangle
}

/**
 * The map of a flow, drawn by hand. While the canvas is panned only the frame around what is in sight moves: a thousand
 * parts are drawn again when one of them changed, or when all of them have to be drawn smaller.
 */
export class MapDrawing {
  readonly #sheet: HTMLCanvasElement
  readonly #frame: HTMLElement
  #nodes: CanvasState['nodes'] | undefined
  #parts: readonly Part[] = []
  #bounds: Rectangle = { x: 0, y: 0, width: 0, height: 0 }
  #colours: Colours | undefined
  #steps: Steps
  #scale: MapScale = { scale: 1, origin: { x: 0, y: 0 } }

  constructor(sheet: HTMLCanvasElement, frame: HTMLElement) {
    this.#sheet = sheet
    this.#frame = frame
  }

  get scale(): MapScale {
    return this.#scale
  }

  /** Its colours are no longer those of the page. */
  forgetColours(): void {
    this.#colours = undefined
  }

  draw(state: CanvasState, steps: Steps): void {
    const view = viewOf(state.transform, state.width, state.height)
    const isMoved = state.nodes !== this.#nodes
    if (isMoved) this.#read(state)
    const scale = mapScale([this.#bounds], view, SHEET)
    if (isMoved || steps !== this.#steps || this.#colours === undefined || !isSame(scale, this.#scale)) {
      this.#steps = steps
      this.#scale = scale
      this.#drawParts()
    }
    const { x, y, width, height } = onMap(view, scale)
    this.#frame.style.transform = `translate(${x}px, ${y}px)`
    this.#frame.style.width = `${width}px`
    this.#frame.style.height = `${height}px`
  }

  #read({ nodes, nodeLookup }: CanvasState): void {
    this.#nodes = nodes
    this.#parts = [...nodeLookup.values()].map(({ id, type, internals, measured }) => {
      const { width = 0, height = 0 } = measured
      return {
        id,
        isNote: type !== 'component' && type !== 'region',
        isFrame: type === 'region',
        box: { ...internals.positionAbsolute, width, height }
      }
    })
    this.#bounds = boundsOf(this.#parts.map(({ box }) => box))
  }

  #drawParts(): void {
    this.#colours ??= coloursOf(this.#sheet)
    const colours = this.#colours
    const pen = penFor(this.#sheet)
    for (const { id, isNote, isFrame, box } of this.#parts) {
      const { x, y, width, height } = onMap(box, this.#scale)
      if (isFrame) {
        pen.strokeStyle = colourOf(this.#steps?.get(id)?.status, colours)
        pen.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1)
        continue
      }
      pen.fillStyle = isNote ? colours.note : colourOf(this.#steps?.get(id)?.status, colours)
      pen.fillRect(x, y, width, height)
    }
  }
}

/** On an empty sheet that is as sharp as the screen. */
function penFor(sheet: HTMLCanvasElement): CanvasRenderingContext2D {
  const pixel = window.devicePixelRatio
  const [width, height] = [Math.floor(SHEET.width * pixel), Math.floor(SHEET.height * pixel)]
  const pen = sheet.getContext('2d')!
  if (sheet.width === width && sheet.height === height) {
    // To set a size empties it as well, and makes the browser lay out the page.
    pen.clearRect(0, 0, SHEET.width, SHEET.height)
    return pen
  }
  sheet.width = width
  sheet.height = height
  pen.scale(pixel, pixel)
  return pen
}

function isSame(one: MapScale, other: MapScale): boolean {
  return one.scale === other.scale && one.origin.x === other.origin.x && one.origin.y === other.origin.y
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
    running: read('--state-running')
  }
}

/** What went well needs no colour: the eye is to find what did not. */
function colourOf(status: string | undefined, colours: Colours): string {
  const { tone } = appearanceOf(status ?? '')
  return tone === 'failed' || tone === 'running' ? colours[tone] : colours.part
}
