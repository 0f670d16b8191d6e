import { Link } from 'react-router'
import { useFlows } from '../../../api/flows.ts'
import { isItem, itemName } from '../../../api/items.ts'
import type { RunSummary } from '../../../api/shapes.ts'
import { StateBadge } from '../../../design/state-badge.tsx'
import classes from './children.module.css'

interface RunRowProps {
  readonly run: RunSummary
  /** It is the run whose page this is. */
  readonly isHere?: boolean
}

/** A run in a line: its state, what it is, and what it says. */
export function RunRow({ run, isHere = false }: RunRowProps) {
  const { data: flows } = useFlows()
  const flow =
    flows?.find(({ id }) => id === run.flow_id)?.name ?? (flows === undefined ? '…' : 'Deleted flow')
  const name = isItem(run) ? itemName(run) : flow
  return (
    <span className={classes.row}>
      <StateBadge state={run.status} iconOnly />
      {isHere ? <strong aria-current="page">{name}</strong> : <Link to={`/runs/${run.id}`}>{name}</Link>}
      <span className={classes.summary}>{run.error?.message ?? run.summary}</span>
    </span>
  )
}
