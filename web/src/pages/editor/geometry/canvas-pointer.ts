import { createContext, useContext } from 'react'
import type { Point } from '../../../editor/graph/flow.ts'

/** Where the pointer is on the screen, while it is over the canvas. Nothing is drawn again when it moves. */
export class CanvasPointer {
  at: Point | undefined
}

export const PointerContext = createContext(new CanvasPointer())

export function useCanvasPointer(): CanvasPointer {
  return useContext(PointerContext)
}

/** Stands in for the pointer where there is none over the canvas: what comes in by keyboard comes in there. */
export function upperThirdOf(canvas: Element): Point {
  const box = canvas.getBoundingClientRect()
  return { x: box.left + box.width / 3, y: box.top + box.height / 3 }
}
