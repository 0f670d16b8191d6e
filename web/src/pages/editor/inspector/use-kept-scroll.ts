import { createContext, use, useLayoutEffect, useRef } from 'react'

/** How far each part was scrolled, for as long as the flow is open. */
export const ScrollContext = createContext<Map<string, number> | undefined>(undefined)

/** Whoever comes back to a node finds it as it was left. */
export function useKeptScroll(of: string) {
  const places = use(ScrollContext)
  const room = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (room.current !== null) room.current.scrollTop = places?.get(of) ?? 0
  }, [places, of])
  return {
    ref: room,
    onScroll: (event: React.UIEvent<HTMLElement>) => void places?.set(of, event.currentTarget.scrollTop)
  }
}
