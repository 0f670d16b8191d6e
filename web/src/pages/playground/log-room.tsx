import { Button } from '@mantine/core'
import { IconArrowDown } from '../../design/icons/list-icons.ts'
import classes from './conversation.module.css'
import type { FollowEnd } from './use-follow-end.ts'

interface LogRoomProps {
  readonly follow: FollowEnd
  /** How many came below a reader who has scrolled up. */
  readonly unseen: number
  readonly label: string
  readonly children: React.ReactNode
}

/** The room that the log scrolls in. Whoever has scrolled up is left in peace, and told how many came since. */
export function LogRoom({ follow, unseen, label, children }: LogRoomProps) {
  return (
    <div className={classes.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a room that scrolls has to be reached by keyboard. */}
      <div ref={follow.room} className={classes.room} role="log" aria-label={label} tabIndex={0}>
        <div ref={follow.content} className={classes.content}>
          {children}
        </div>
      </div>
      {!follow.isFollowing && (
        <div className={classes.toNewest}>
          <Button
            size="compact-md"
            variant={unseen > 0 ? 'filled' : 'default'}
            leftSection={<IconArrowDown size={14} aria-hidden />}
            onClick={follow.goToEnd}
          >
            {unseen > 0 ? `${unseen.toLocaleString()} new` : 'Go to the newest'}
          </Button>
        </div>
      )}
    </div>
  )
}
