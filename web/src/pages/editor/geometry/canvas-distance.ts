import { createContext, useContext, useEffect, useState } from 'react'

/** Below this zoom no field can be read, and a node is drawn as a box with its name. */
export const ZOOMED_OUT_BELOW = 0.42

/** Below this one not even its name can be read. */
export const TINY_ZOOM = 0.16

/** Whether the canvas is zoomed out so far that nodes are boxes with their names. */
export const ZoomedOutContext = createContext(false)

/** Whether the canvas is being panned or zoomed. */
export class CanvasMotion {
  #isMoving = false
  readonly #onRest = new Set<() => void>()

  get isMoving(): boolean {
    return this.#isMoving
  }

  begin(): void {
    this.#isMoving = true
  }

  end(): void {
    this.#isMoving = false
    const callbacks = [...this.#onRest]
    this.#onRest.clear()
    for (const onRest of callbacks) onRest()
  }

  /** Calls back once, when the canvas is at rest. */
  whenAtRest(onRest: () => void): () => void {
    this.#onRest.add(onRest)
    return () => this.#onRest.delete(onRest)
  }
}

export const MotionContext = createContext(new CanvasMotion())

/**
 * False for what comes into view while the canvas moves, until it rests: mounting forms between two frames is what
 * makes panning stutter. Once true it stays so.
 */
export function useIsSettled(): boolean {
  const motion = useContext(MotionContext)
  const [isSettled, setSettled] = useState(() => !motion.isMoving)
  useEffect(() => {
    if (!isSettled) return motion.whenAtRest(() => setSettled(true))
  }, [isSettled, motion])
  return isSettled
}
