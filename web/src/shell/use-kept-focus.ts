import { useEffect } from 'react'

/**
 * Loaded when something has the focus first: before that nothing can be lost. A menu may have been opened meanwhile, and
 * what opened it has to be known.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    const keeping = new AbortController()
    const until = new AbortController()
    const earlier: EventTarget[] = []
    const load = async () => {
      const { keepFocus } = await import('./focus/keep-focus.ts')
      until.abort()
      keepFocus(earlier, keeping.signal)
    }
    const onFocusIn = ({ target }: FocusEvent) => {
      // Without the service there is nothing to load; the page says so itself.
      if (earlier.length === 0) load().catch(() => {})
      if (target !== null) earlier.push(target)
    }
    document.addEventListener('focusin', onFocusIn, {
      signal: AbortSignal.any([keeping.signal, until.signal])
    })
    return () => keeping.abort()
  }, [])
}
