import { Button, Checkbox, Group, Progress, Stack } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { problemOf } from '../../../api/problem.ts'
import { IconAlertTriangle, IconCheck } from '../../../design/icons/page-icons.ts'
import { shortId } from '../list/short-id.ts'
import classes from './bulk.module.css'
import type { BulkAction } from './bulk-action.ts'
import type { BulkResult } from './run-bulk.ts'
import type { BulkProgress } from './use-bulk-run.ts'

interface BulkProgressViewProps {
  readonly action: BulkAction
  readonly progress: BulkProgress
  readonly onStop: () => void
  readonly onClose: () => void
  readonly onAgain: (ids: readonly string[]) => void
}

export function BulkProgressView({ action, progress, onStop, onClose, onAgain }: BulkProgressViewProps) {
  const { total, results, isOver } = progress
  const refused = results.filter(({ error }) => error !== undefined)
  const [onlyRefused, setOnlyRefused] = useState(false)
  return (
    <Stack>
      <Progress
        value={(100 * results.length) / Math.max(1, total)}
        color={refused.length > 0 ? 'red' : 'mill'}
        aria-label={`${action.title}: progress`}
      />
      <Group justify="space-between">
        <span role="status">{progressWords(progress, refused.length)}</span>
        <Checkbox
          size="xs"
          label="Only those that were refused"
          checked={onlyRefused}
          onChange={(event) => setOnlyRefused(event.currentTarget.checked)}
        />
      </Group>
      <Results results={onlyRefused ? refused : results} />
      <Group justify="flex-end">
        {isOver && refused.length > 0 && (
          <Button variant="default" onClick={() => onAgain(refused.map(({ id }) => id))}>
            Try the refused ones again
          </Button>
        )}
        {isOver ? (
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

function progressWords({ total, results, isOver, isStopped }: BulkProgress, refused: number): string {
  const done = `${(results.length - refused).toLocaleString()} of ${total.toLocaleString()} done`
  const problems = refused === 0 ? '' : `, ${refused.toLocaleString()} refused`
  const end = isOver && isStopped && results.length < total ? ', stopped' : ''
  return done + problems + end
}

const ROW = 32

/** One line for each run, however many there are. */
function Results({ results }: { readonly results: readonly BulkResult[] }) {
  const room = useRef<HTMLElement>(null)
  const virtualizer = useVirtualizer({
    count: results.length,
    getScrollElement: () => room.current,
    estimateSize: () => ROW,
    overscan: 6
  })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a room that scrolls has to be reached by keyboard.
    <section ref={room} className={classes.results} tabIndex={0} aria-label="Result of each run">
      <ul style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => (
          <li key={results[index]!.id} style={{ transform: `translateY(${start}px)` }}>
            <Result result={results[index]!} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Result({ result: { id, startedId, error } }: { readonly result: BulkResult }) {
  return (
    <>
      {error === undefined ? (
        <IconCheck size={14} className={classes.good} aria-label="Done" />
      ) : (
        <IconAlertTriangle size={14} className={classes.bad} aria-label="Refused" />
      )}
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
