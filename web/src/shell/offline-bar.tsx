import { UnstyledButton } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useConnection, useLive } from '../api/live.ts'
import classes from './offline-bar.module.css'

/** Says that the service cannot be reached. It appears after a moment and goes by itself when the service is back. */
export function OfflineBar() {
  const connection = useConnection()
  const live = useLive()
  return (
    <div role="status" aria-live="polite">
      {connection === 'offline' && (
        <div className={classes.bar}>
          <IconPlugConnectedX size={16} aria-hidden />
          <span>
            Millrace cannot be reached. What you see may be old; it is brought up to date as soon as it
            answers.
          </span>
          <UnstyledButton className={classes.retry} onClick={live.retryNow}>
            Try now
          </UnstyledButton>
        </div>
      )}
    </div>
  )
}
