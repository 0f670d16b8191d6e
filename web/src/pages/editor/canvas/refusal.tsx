import { useEffect, useRef } from 'react'
import { IconPlugConnectedX } from '../../../design/icons/page-icons.ts'
import classes from './canvas.module.css'

/** Long enough to read two sentences. */
const SHOWN_MS = 7000

/** Why a wire was not taken, after it was let go. */
export function Refusal({
  message,
  onOver
}: {
  readonly message: string | undefined
  readonly onOver: () => void
}) {
  const over = useRef(onOver)
  over.current = onOver
  useEffect(() => {
    if (message === undefined) return
    const timer = setTimeout(() => over.current(), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [message])
  return (
    <div role="alert" className={classes.refusals}>
      {message !== undefined && (
        <div className={classes.refusal}>
          <IconPlugConnectedX size={18} aria-hidden />
          <span>{message}</span>
        </div>
      )}
    </div>
  )
}
