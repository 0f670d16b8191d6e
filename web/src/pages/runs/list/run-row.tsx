// biome-ignore-all lint/a11y/useSemanticElements: rows of a list of any length stand free, a table cannot hold them.
// biome-ignore-all lint/a11y/useFocusableInteractive: a grid moves the focus from row to row; cells have none.
import { memo } from 'react'
import { RUN_STATUSES } from '../../../../../src/runs/present/run-status.ts'
import type { RunSummary } from '../../../api/shapes.ts'
import { relativeTime } from '../../../design/format-time.ts'
import { StateBadge } from '../../../design/state-badge.tsx'
import { TestBadge } from '../../../design/test-badge.tsx'
import { triggerWords } from '../../../design/trigger-words.ts'
import { wholeDuration } from '../whole-duration.ts'
import classes from './run-list.module.css'
import { shortId } from './short-id.ts'

interface RunRowProps {
  readonly run: RunSummary
  readonly index: number
  readonly top: number
  /** Undefined where the list is that of one flow. */
  readonly flowName: string | undefined
  readonly now: number
  /** Where runs are, for links that work without us too: in a new tab, or copied. */
  readonly hrefOfRuns: string
  readonly isChosen: boolean
  readonly isActive: boolean
  readonly onToggle: (id: string, index: number, isRange: boolean) => void
}

const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** Made once: a row that shows another run of the same state does not draw its badge again. */
const BADGES = Object.fromEntries(
  RUN_STATUSES.map((state) => [state, <StateBadge key={state} state={state} />])
)

const TEST_BADGE = <TestBadge />

/** One run. Only plain parts are used here: while somebody scrolls, dozens of rows change within a frame. */
export const RunRow = memo(function RunRow(props: RunRowProps) {
  const { run, index, top, flowName, now, hrefOfRuns, isChosen, isActive, onToggle } = props
  const told = run.summary === '' ? shortId(run.id) : run.summary
  return (
    <div
      role="row"
      className={classes.row}
      style={{ transform: `translateY(${top}px)` }}
      tabIndex={isActive ? 0 : -1}
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      data-run={run.id}
      data-index={index}
    >
      <span role="gridcell" className={classes.tick}>
        <input
          type="checkbox"
          className={classes.box}
          aria-label={`Choose run ${shortId(run.id)}`}
          tabIndex={-1}
          checked={isChosen}
          onClick={(event) => onToggle(run.id, index, event.shiftKey)}
          onChange={ignore}
        />
      </span>
      <span role="gridcell" className={classes.state}>
        {BADGES[run.status]}
        {run.test && TEST_BADGE}
      </span>
      <span role="gridcell" className={classes.runCell}>
        <a
          href={`${hrefOfRuns}/${run.id}`}
          className={classes.link}
          title={run.id}
          tabIndex={-1}
          data-flow={flowName !== undefined || undefined}
        >
          <bdi>{flowName ?? told}</bdi>
        </a>
        {flowName !== undefined && (
          <bdi className={run.summary === '' ? classes.id : classes.summary}>{told}</bdi>
        )}
        {run.error !== null && (
          <span className={classes.error} title={run.error.message}>
            {withoutNode(run.error)}
          </span>
        )}
      </span>
      <span role="gridcell" className={classes.trigger}>
        {run.replay_of === null ? triggerWords(run.trigger) : 'replay'}
      </span>
      <span role="gridcell" className={classes.time}>
        <time dateTime={run.created_at} title={MOMENT.format(new Date(run.created_at))}>
          {relativeTime(Date.parse(run.created_at), now)}
        </time>
      </span>
      <span role="gridcell" className={classes.duration}>
        {durationOf(run)}
      </span>
    </div>
  )
})

/** The node is named once: `parser-1: …` instead of `Node "parser-1" (Parser) failed: …`. */
function withoutNode({ node, message }: NonNullable<RunSummary['error']>): string {
  const said = /^Node "[^"]*" \([^)]*\) failed: /.exec(message)
  return node === null || said === null ? message : `${node}: ${message.slice(said[0].length)}`
}

function durationOf({ started_at, finished_at }: RunSummary): string {
  if (started_at === null || finished_at === null) return '–'
  return wholeDuration(Date.parse(finished_at) - Date.parse(started_at))
}

function ignore(): void {}
