import { useState } from 'react'

export interface Brush {
  /** The bucket that the pointer or the keyboard is on. */
  readonly active: number | undefined
  /** The buckets that are being marked, ends included. */
  readonly marked: readonly [first: number, last: number] | undefined
  readonly point: (index: number | undefined) => void
  readonly press: (index: number) => void
  readonly release: () => void
  readonly onKeyDown: (event: React.KeyboardEvent) => void
}

/** Marking some buckets of a plot: by dragging, by a click for one, or with the arrow keys, Shift and Enter. */
export function useBrush(count: number, onChoose: (first: number, last: number) => void): Brush {
  const [active, setActive] = useState<number>()
  const [anchor, setAnchor] = useState<number>()
  const [isDragging, setDragging] = useState(false)
  const marked =
    anchor === undefined || active === undefined
      ? undefined
      : ([Math.min(anchor, active), Math.max(anchor, active)] as const)
  const forget = () => {
    setAnchor(undefined)
    setDragging(false)
  }
  const choose = () => {
    const [first, last] = marked ?? [active, active]
    forget()
    if (first !== undefined && last !== undefined) onChoose(first, last)
  }
  const move = (by: number, isMarking: boolean) => {
    const from = active ?? count
    const to = Math.max(0, Math.min(count - 1, from + by))
    setAnchor(isMarking ? (anchor ?? active ?? to) : undefined)
    setActive(to)
  }
  const keys: Readonly<Record<string, (event: React.KeyboardEvent) => void>> = {
    ArrowLeft: ({ shiftKey }) => move(-1, shiftKey),
    ArrowRight: ({ shiftKey }) => move(1, shiftKey),
    Home: ({ shiftKey }) => move(-count, shiftKey),
    End: ({ shiftKey }) => move(count, shiftKey),
    Enter: choose,
    ' ': choose,
    Escape: forget
  }
  return {
    active,
    marked,
    point: (index) => {
      // The pointer may leave the plot while it drags; what is marked stays.
      if (index !== undefined || !isDragging) setActive(index)
      if (!isDragging && index !== undefined) setAnchor(undefined)
    },
    press: (index) => {
      setActive(index)
      setAnchor(index)
      setDragging(true)
    },
    release: () => {
      if (isDragging) choose()
    },
    onKeyDown: (event) => {
      const action = keys[event.key]
      if (action === undefined) return
      event.preventDefault()
      action(event)
    }
  }
}
