import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** So near to the end, somebody is taken to be there. */
const NEAR = 48

export interface FollowEnd {
  readonly room: React.RefObject<HTMLDivElement | null>
  readonly content: React.RefObject<HTMLDivElement | null>
  /** At the end, and taken along as it moves on; false for a reader who has scrolled up. */
  readonly isFollowing: boolean
  readonly goToEnd: () => void
}

/**
 * Keeps a room that scrolls at its end while its content grows, for whoever is there, and leaves a reader who has
 * scrolled up alone. `first` names what stands on top: when something is put before it, what is read stays in place.
 */
export function useFollowEnd(first: string | undefined): FollowEnd {
  const room = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const [isFollowing, setFollowing] = useState(true)
  const follows = useRef(true)

  const set = useCallback((next: boolean) => {
    follows.current = next
    setFollowing(next)
  }, [])
  const goToEnd = useCallback(() => {
    set(true)
    if (room.current !== null) room.current.scrollTop = room.current.scrollHeight
  }, [set])

  useEffect(() => {
    const scrolled = room.current!
    let [height, shown] = [scrolled.scrollHeight, scrolled.clientHeight]
    const look = () => {
      height = scrolled.scrollHeight
      shown = scrolled.clientHeight
    }
    // Content that grows, or a room that shrinks, moves the end away without anybody scrolling: that is no reader who
    // goes up.
    const onScroll = () => {
      const isAtEnd = scrolled.scrollHeight - scrolled.scrollTop - scrolled.clientHeight < NEAR
      const isSame = scrolled.scrollHeight === height && scrolled.clientHeight === shown
      if (isAtEnd || isSame) set(isAtEnd)
      look()
    }
    const onResize = new ResizeObserver(() => {
      look()
      if (follows.current) scrolled.scrollTop = scrolled.scrollHeight
    })
    scrolled.addEventListener('scroll', onScroll, { passive: true })
    onResize.observe(scrolled)
    onResize.observe(content.current!)
    return () => {
      scrolled.removeEventListener('scroll', onScroll)
      onResize.disconnect()
    }
  }, [set])

  useStayInPlace(room, follows, first)
  return { room, content, isFollowing, goToEnd }
}

/** What was put on top pushes the rest down; the reader is moved by just that much. */
function useStayInPlace(
  room: React.RefObject<HTMLDivElement | null>,
  follows: React.RefObject<boolean>,
  first: string | undefined
): void {
  const before = useRef({ first, height: 0 })
  useLayoutEffect(() => {
    const scrolled = room.current!
    const grown = scrolled.scrollHeight - before.current.height
    if (first !== before.current.first && before.current.first !== undefined && !follows.current)
      scrolled.scrollTop += grown
    before.current = { first, height: scrolled.scrollHeight }
  })
}
