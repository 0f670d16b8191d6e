import { memo } from 'react'
import { useNow } from '../../design/use-now.ts'
import classes from './conversation.module.css'
import { FailedTurn } from './failed-turn.tsx'
import { MessageView } from './message-view.tsx'
import { dayOf, dayWords, type TimelineItem } from './timeline.ts'

interface TimelineRowProps {
  readonly item: TimelineItem
  /** What was typed here to start the failed run, where nothing was printed of it. */
  readonly typed: string | undefined
  /** The agents of the flow, for the first message of a run. */
  readonly agents: readonly string[]
  readonly onEdit: ((text: string) => void) | undefined
  /** The flow, where what it says may be rated. */
  readonly rated: string | undefined
}

export const TimelineRow = memo(
  function TimelineRow({ item, typed, agents, onEdit, rated }: TimelineRowProps) {
    if (item.kind === 'day') return <DayRow day={item.day} />
    return (
      <li className={classes.item}>
        {item.kind === 'message' ? (
          <MessageView message={item.message} agents={agents} onEdit={onEdit} rated={rated} />
        ) : (
          <FailedTurn turn={item.turn} typed={typed} agents={agents} onEdit={onEdit} />
        )}
      </li>
    )
  },
  (before, after) =>
    before.typed === after.typed &&
    before.agents === after.agents &&
    before.onEdit === after.onEdit &&
    before.rated === after.rated &&
    isSameItem(before.item, after.item)
)

/** Items are made anew with every event; what they hold is not. */
function isSameItem(a: TimelineItem, b: TimelineItem): boolean {
  if (a.kind === 'message' && b.kind === 'message') return a.message === b.message
  if (a.kind === 'failed' && b.kind === 'failed') return a.turn === b.turn
  return a.kind === 'day' && b.kind === 'day' && a.day === b.day
}

function DayRow({ day }: { readonly day: string }) {
  const now = useNow()
  return (
    <li className={classes.day}>
      <span>{dayWords(day, dayOf(new Date(now).toISOString()))}</span>
    </li>
  )
}
