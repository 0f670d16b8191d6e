import { useEffect, useState } from 'react'

/**
 * Whether somebody is at the rows, so that none may move: a mouse points at one, or the keyboard is on one. A finger
 * points at nothing between two touches.
 */
export function useReading(list: React.RefObject<HTMLElement | null>): boolean {
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
  return isPointedAt || isFocused
}
