import { IconToolCall } from '../../design/icons/list-icons.ts'
import { StateBadge } from '../../design/state-badge.tsx'
import { inOneLine } from '../run/agent/turn-words.ts'
import classes from './tool-calls.module.css'
import type { LiveCall } from './tool-news.ts'

/** So many of the last ones stand there while they are made; all of them are in the run. */
const SHOWN = 6

/** What the agents of a run call while it goes on. */
export function LiveCallList({ calls }: { readonly calls: readonly LiveCall[] }) {
  if (calls.length === 0) return null
  const before = calls.length - SHOWN
  return (
    <ul className={classes.live} aria-label="Tool calls">
      {before > 0 && <li className={classes.before}>{before} more before</li>}
      {calls.slice(-SHOWN).map(({ id, name, arguments: given, status }) => (
        <li key={id}>
          <IconToolCall size={14} aria-hidden className={classes.icon} />
          <span className={classes.name}>{name}</span>
          <code className={classes.given}>{inOneLine(given)}</code>
          <StateBadge state={status} iconOnly />
        </li>
      ))}
    </ul>
  )
}
