import { useLayoutEffect, useRef } from 'react'

/**
 * What is typed somewhere and taken over when the field is left is taken over too when the page is left with the field
 * open: by a link, by the browser's Back, or with the window. In a layout effect, because what is saved last is looked
 * at in the others.
 */
export function useFinishOnLeave(finish: () => void): void {
  const newest = useRef(finish)
  newest.current = finish
  useLayoutEffect(() => {
    const onLeave = () => newest.current()
    window.addEventListener('pagehide', onLeave)
    return () => {
      window.removeEventListener('pagehide', onLeave)
      onLeave()
    }
  }, [])
}
