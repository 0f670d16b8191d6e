import { Button, Checkbox, Group, Progress, Stack } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { problemOf } from '../../../api/problem.ts'
import { IconAlertTriangle, IconCheck } from '../../../design/icons/page-icons.ts'
import { StateBadge } from '../../../design/state-badge.tsx'
import { shortId } from '../list/short-id.ts'
import classes from './bulk.module.css'
import type { BulkAction } from './bulk-action.ts'
import { isTrouble, type Outcome, outcomeOf, progressWords } from './bulk-outcome.ts'
import type { BulkProgress, BulkResult } from './run-bulk.ts'
import { useRunStatuses } from './use-run-statuses.ts'

interface BulkProgressViewProps {
  readonly action: BulkAction
  readonly progress: BulkProgress
  readonly onStop: () => void
  readonly onClose: () => void
  readonly onAgain: (ids: readonly string[]) => void
}

export function BulkProgressView({ action, progress, onStop, onClose, onAgain }: BulkProgressViewProps) {
  const { total, results, isFinished } = progress
  const statuses = useRunStatuses(progress)
  const rows = results.map((result): Row => ({ result, outcome: outcomeOf(result, statuses) }))
  const refused = rows.filter(({ outcome }) => outcome === 'refused')
  const trouble = rows.filter(({ outcome }) => isTrouble(outcome))
  const [onlyTrouble, setOnlyTrouble] = useState(false)
  return (
    <Stack>
      <Progress
        value={(100 * results.length) / Math.max(1, total)}
        color={trouble.length > 0 ? 'red' : 'mill'}
        aria-label={`${action.title}: progress`}
      />
      <Group justify="space-between">
        <span role="status">
          {progressWords(
            action,
            progress,
            rows.map(({ outcome }) => outcome)
          )}
        </span>
        <Checkbox
          size="xs"
          label={
            action.startsRuns ? 'Only those that failed or were refused' : 'Only those that were refused'
          }
          checked={onlyTrouble}
          onChange={(event) => setOnlyTrouble(event.currentTarget.checked)}
        />
      </Group>
      <Results rows={onlyTrouble ? trouble : rows} />
      <Group justify="flex-end">
        {isFinished && refused.length > 0 && (
          <Button variant="default" onClick={() => onAgain(refused.map(({ result }) => result.id))}>
            Try the refused ones again
          </Button>
        )}
        {isFinished ? (
          <Button onClick={onClose}>Done</Button>
        ) : (
          <Button variant="default" onClick={onStop}>
            Stop
          </Button>
        )}
      </Group>
    </Stack>
  )
}

interface Row {
  readonly result: BulkResult
  readonly outcome: Outcome
}

const ROW = 32

/** One line for each run, however many there are. */
function Results({ rows }: { readonly rows: readonly Row[] }) {
  const room = useRef<HTMLElement>(null)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => room.current,
    estimateSize: () => ROW,
    overscan: 6
  })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a room that scrolls has to be reached by keyboard.
    <section ref={room} className={classes.results} tabIndex={0} aria-label="Result of each run">
      <ul style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => (
          <li key={rows[index]!.result.id} style={{ transform: `translateY(${start}px)` }}>
            <Result {...rows[index]!} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Result({ result: { id, startedId, error }, outcome }: Row) {
  return (
    <>
      <OutcomeMark outcome={outcome} />
      <Link to={`/runs/${id}`}>
        <code>{shortId(id)}</code>
      </Link>
      {startedId !== undefined && startedId !== id && (
        <span>
          → <Link to={`/runs/${startedId}`}>new run {shortId(startedId)}</Link>
        </span>
      )}
      {error !== undefined && <span className={classes.reason}>{problemOf(error).detail}</span>}
    </>
  )
}

function OutcomeMark({ outcome }: { readonly outcome: Outcome }) {
  return <span className={classes.state}>{markOf(outcome)}</span>
}

function markOf(outcome: Outcome) {
  switch (outcome) {
    case 'refused':
      return <IconAlertTriangle size={14} className={classes.refused} aria-label="Refused" />
    case 'done':
      return <IconCheck size={14} className={classes.done} aria-label="Done" />
    default:
      return <StateBadge state={outcome} />
  }
}
