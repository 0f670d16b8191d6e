import { useCallback, useLayoutEffect, useState } from 'react'

/** What scrolls a page: the list has no room of its own that would scroll within it. */
export function usePageScroller(): HTMLElement | null {
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  useLayoutEffect(() => setScroller(document.getElementById('main')), [])
  return scroller
}

/** How far below the top of what scrolls an element begins; looked at again whenever something above it grows. */
export function useOffsetWithin(
  scroller: HTMLElement | null,
  element: React.RefObject<HTMLElement | null>
): number {
  const [offset, setOffset] = useState(0)
  const measure = useCallback(() => {
    if (scroller === null || element.current === null) return
    const { top } = element.current.getBoundingClientRect()
    setOffset(Math.round(top - scroller.getBoundingClientRect().top + scroller.scrollTop))
  }, [scroller, element])
  useLayoutEffect(() => {
    if (scroller === null || element.current === null) return
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(scroller)
    if (scroller.firstElementChild !== null) observer.observe(scroller.firstElementChild)
    return () => observer.disconnect()
  }, [scroller, element, measure])
  return offset
}
