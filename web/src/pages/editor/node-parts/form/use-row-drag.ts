import { useEffect, useRef, useState } from 'react'

interface Drag {
  readonly from: number | undefined
  /** Where it would be put now. */
  readonly to: number | undefined
  readonly grab: (event: React.PointerEvent, from: number) => void
}

/**
 * Drags a row of a list by its grip, with a mouse, a pen or a finger. Nothing moves before it is let go, so that it is one step of
 * undo; Escape lets go of it where it was.
 */
export function useRowDrag(
  list: React.RefObject<HTMLOListElement | null>,
  onMove: (from: number, to: number) => void
): Drag {
  const [dragged, setDragged] = useState<{ readonly from: number; readonly to: number } | undefined>()
  const latest = useRef(onMove)
  latest.current = onMove
  const isDragging = dragged !== undefined
  const place = useRef(dragged)
  place.current = dragged

  useEffect(() => {
    if (!isDragging) return
    const follow = ({ clientY }: PointerEvent) =>
      setDragged((now) => now && { ...now, to: placeUnder(list.current, clientY) })
    const end = (isMeant: boolean) => () => {
      const { from = 0, to = 0 } = place.current ?? {}
      setDragged(undefined)
      if (isMeant) latest.current(from, to)
    }
    const drop = end(true)
    const cancel = end(false)
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      cancel()
    }
    window.addEventListener('pointermove', follow)
    window.addEventListener('pointerup', drop)
    window.addEventListener('pointercancel', cancel)
    window.addEventListener('keydown', onKeyDown, true)
    return () => {
      window.removeEventListener('pointermove', follow)
      window.removeEventListener('pointerup', drop)
      window.removeEventListener('pointercancel', cancel)
      window.removeEventListener('keydown', onKeyDown, true)
    }
  }, [isDragging, list])

  return {
    from: dragged?.from,
    to: dragged?.to,
    grab: (event, from) => {
      if (event.button === 0) setDragged({ from, to: from })
    }
  }
}

/** By the middles of the rows. */
function placeUnder(list: HTMLOListElement | null, y: number): number {
  const rows = [...(list?.children ?? [])]
  const at = rows.findIndex((row) => y < row.getBoundingClientRect().bottom)
  return at < 0 ? Math.max(0, rows.length - 1) : at
}
