import { useEffect, useState } from 'react'

interface Reading {
  readonly scroller: HTMLElement | null
  readonly list: React.RefObject<HTMLElement | null>
  /** How far the page can be scrolled before the first row leaves sight. */
  readonly top: number
}

/**
 * Whether somebody is at the rows, so that none may move: they are scrolled, a mouse points at one, or the keyboard is
 * on one. A finger points at nothing between two touches.
 */
export function useReading({ scroller, list, top }: Reading): boolean {
  const isScrolled = useScrolledBeyond(scroller, top)
  const [isPointedAt, setPointedAt] = useState(false)
  const [isFocused, setFocused] = useState(false)
  useEffect(() => {
    const rows = list.current
    if (rows === null) return
    const point = ({ pointerType }: PointerEvent) => setPointedAt(pointerType === 'mouse')
    const leave = () => setPointedAt(false)
    const focus = ({ target }: FocusEvent) => setFocused((target as Element).matches(':focus-visible'))
    const blur = () => setFocused(false)
    rows.addEventListener('pointerenter', point)
    rows.addEventListener('pointerleave', leave)
    rows.addEventListener('focusin', focus)
    rows.addEventListener('focusout', blur)
    return () => {
      rows.removeEventListener('pointerenter', point)
      rows.removeEventListener('pointerleave', leave)
      rows.removeEventListener('focusin', focus)
      rows.removeEventListener('focusout', blur)
    }
  }, [list])
  return isScrolled || isPointedAt || isFocused
}

function useScrolledBeyond(scroller: HTMLElement | null, top: number): boolean {
  const [isBeyond, setBeyond] = useState(false)
  useEffect(() => {
    if (scroller === null) return
    const look = () => setBeyond(scroller.scrollTop > top)
    look()
    scroller.addEventListener('scroll', look, { passive: true })
    return () => scroller.removeEventListener('scroll', look)
  }, [scroller, top])
  return isBeyond
}
