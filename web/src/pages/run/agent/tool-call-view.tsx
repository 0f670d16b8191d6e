import { Link } from 'react-router'
import type { JsonValue } from '../../../../../src/flows/json/exact-json.ts'
import type { ToolCall } from '../../../api/shapes.ts'
import { duration } from '../../../design/format-time.ts'
import { IconToolCall } from '../../../design/icons/list-icons.ts'
import { StateBadge } from '../../../design/state-badge.tsx'
import { ValueView } from '../../../design/value-view/value-view.tsx'
import classes from './agent-conversation.module.css'
import { inOneLine } from './turn-words.ts'

interface ToolCallViewProps {
  readonly call: ToolCall
  /** Absent where nothing can be gone on from. */
  readonly onReplay?: ((call: ToolCall) => void) | undefined
}

/** One call of a tool: a line, and unfolded what it was called with and what it gave. */
export function ToolCallView({ call, onReplay }: ToolCallViewProps) {
  const { name, status, duration_ms, run_id } = call
  const given = call.arguments as JsonValue
  return (
    <details className={classes.call}>
      <summary>
        <IconToolCall size={14} aria-hidden className={classes.icon} />
        <span className={classes.name}>{name}</span>
        <code className={classes.given}>{inOneLine(given)}</code>
        {duration_ms != null && <span className={classes.facts}>{duration(duration_ms)}</span>}
        <StateBadge state={status === 'open' ? 'in progress' : status} />
      </summary>
      <div className={classes.inside}>
        <p className={classes.label}>Arguments</p>
        <ValueView value={given} label={`arguments of ${name}`} />
        <p className={classes.label}>Result</p>
        <Result call={call} />
        <div className={classes.actions}>
          {run_id !== undefined && run_id !== '' && (
            <Link to={`/runs/${run_id}`} className={classes.link}>
              Look into the call
            </Link>
          )}
          {onReplay !== undefined && status !== 'open' && (
            <button type="button" className={classes.replay} onClick={() => onReplay(call)}>
              Replay from here
            </button>
          )}
        </div>
      </div>
    </details>
  )
}

function Result({ call: { name, status, result, error } }: { readonly call: ToolCall }) {
  if (status === 'open') return <p className={classes.nothing}>It goes on, or waits for somebody.</p>
  if (error !== undefined)
    return (
      <p className={classes.error}>
        <code>{error.code}</code> {error.message}
      </p>
    )
  return <ValueView value={(result ?? null) as JsonValue} label={`result of ${name}`} />
}
