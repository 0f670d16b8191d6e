import { useEffect, useRef } from 'react'

/**
 * With what had it, the focus goes to the top of the window: whoever works by keyboard would have to come the whole way
 * again. Whenever `moment` changes, a focus that was lost is put on the page. Not at first: a window that has just been
 * opened begins at its top, with the way past the navigation.
 */
export function useCatchLostFocus(moment: string, isStillFirst = false): void {
  const last = useRef(moment)
  useEffect(() => {
    if (last.current === moment) return
    last.current = moment
    if (isStillFirst || document.activeElement !== document.body) return
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [moment, isStillFirst])
}
