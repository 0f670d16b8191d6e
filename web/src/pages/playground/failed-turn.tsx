import { Link } from 'react-router'
import { LongMessage } from '../../design/long-message.tsx'
import { StateBadge } from '../../design/state-badge.tsx'
import { ClockTime } from './clock-time.tsx'
import classes from './message-view.module.css'
import { RunCalls } from './run-calls.tsx'
import type { Turn } from './turns.ts'

interface FailedTurnProps {
  readonly turn: Turn
  readonly typed: string | undefined
  readonly agents: readonly string[]
  readonly onEdit: ((text: string) => void) | undefined
}

/** A run that came to a bad end, in the place of what it would have said: what was wrong, and where to look. */
export function FailedTurn({ turn, typed, agents, onEdit }: FailedTurnProps) {
  const at = turn.finishedAt ?? turn.createdAt
  return (
    <article className={classes.failed} data-status={turn.status} aria-label={`Run that was ${turn.status}`}>
      <header className={classes.head}>
        <StateBadge state={turn.status} />
        {at !== null && <ClockTime at={at} />}
        <Link to={`/runs/${turn.runId}`} className={classes.run}>
          Open the run
        </Link>
      </header>
      {typed !== undefined && <blockquote className={classes.sentText}>{typed}</blockquote>}
      {typed !== undefined && onEdit !== undefined && (
        <button type="button" className={classes.stop} onClick={() => onEdit(typed)}>
          Edit the message
        </button>
      )}
      <LongMessage
        className={classes.error!}
        message={
          turn.error?.message ?? (turn.status === 'cancelled' ? 'It was cancelled.' : 'No further details.')
        }
      />
      {agents.length > 0 && <RunCalls runId={turn.runId} agents={agents} />}
    </article>
  )
}
