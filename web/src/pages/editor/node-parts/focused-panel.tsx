import { useEffect, useRef } from 'react'
import classes from './focused-panel.module.css'

interface FocusedPanelProps {
  readonly children: React.ReactNode
  /** Before the parts inside hear of it. */
  readonly onKeyDownCapture?: (event: React.KeyboardEvent) => void
}

/**
 * Takes the focus when a panel opens, or has its part with `data-autofocus` take it: whoever opened it by keyboard goes on in it, and a
 * screen reader reads it.
 */
export function FocusedPanel({ children, onKeyDownCapture }: FocusedPanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const first = panel.current?.querySelector<HTMLElement>('[data-autofocus]')
    const taker = first ?? panel.current
    taker?.focus({ preventScroll: true })
  }, [])
  return (
    <div ref={panel} tabIndex={-1} className={classes.panel} onKeyDownCapture={onKeyDownCapture}>
      {children}
    </div>
  )
}
