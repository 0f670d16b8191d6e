import { UnstyledButton } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useConnection, useLive } from '../api/live.ts'
import { IconPlugConnectedX } from '../design/icons/page-icons.ts'
import classes from './offline-bar.module.css'

/** A restart of a second or two is not worth a word. */
const SHOW_AFTER_MS = 1500

/** Says that the service cannot be reached. It goes by itself when the service is back. */
export function OfflineBar() {
  const isOffline = useLasting(useConnection() === 'offline')
  const live = useLive()
  return (
    <div role="status" aria-live="polite">
      {isOffline && (
        <div className={classes.bar}>
          <IconPlugConnectedX size={18} aria-hidden className={classes.picture} />
          <span>
            Millrace cannot be reached. What you see may be out of date; it is refreshed as soon as the
            service answers.
          </span>
          <UnstyledButton className={classes.retry} onClick={live.retryNow}>
            Try now
          </UnstyledButton>
        </div>
      )}
    </div>
  )
}

/** Whether something has been so for a while. */
function useLasting(isSo: boolean): boolean {
  const [lasts, setLasts] = useState(false)
  useEffect(() => {
    if (!isSo) return setLasts(false)
    const timer = setTimeout(() => setLasts(true), SHOW_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isSo])
  return lasts
}
