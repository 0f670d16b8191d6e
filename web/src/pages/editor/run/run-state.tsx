import { Tooltip } from '@mantine/core'
import { Link } from 'react-router'
import { IconX } from '../../../design/icons/page-icons.ts'
import { RelativeTime } from '../../../design/relative-time.tsx'
import { appearanceOf, StateBadge } from '../../../design/state-badge.tsx'
import { wholeDuration } from '../../runs/whole-duration.ts'
import { type ShownRun, useEditor, useEditorState } from '../editor-context.ts'
import { RanVersion } from './ran-version.tsx'
import classes from './run.module.css'

/** How the run went that is on the canvas, which version it ran, and the way to it. */
export function RunState() {
  const editor = useEditor()
  const run = useEditorState((state) => state.run)
  const isChosen = useEditorState(({ chosenRun }) => chosenRun !== undefined)
  const isEdited = useEditorState(({ edited }) => edited.isEdited)
  if (run === undefined) return null
  return (
    <section className={classes.run} data-long={isEdited || undefined} aria-label="The run on the canvas">
      <Tooltip
        label={
          <>
            {isChosen ? 'The run that was chosen' : 'The last run'}, <RelativeTime at={run.createdAt} />
          </>
        }
      >
        <Link to={`/runs/${run.id}`} className={classes.link} data-tone={appearanceOf(run.status).tone}>
          <StateBadge state={run.status} />
          <span className={classes.facts}>
            <span className={classes.duration}>{durationOf(run)}</span>
            <RanVersion />
          </span>
        </Link>
      </Tooltip>
      {isChosen && (
        <Tooltip label="Show the newest run">
          <button
            type="button"
            className={classes.newest}
            aria-label="Show the newest"
            onClick={() => editor.showRun(undefined)}
          >
            <IconX size={14} aria-hidden />
          </button>
        </Tooltip>
      )}
    </section>
  )
}

function durationOf({ startedAt, finishedAt }: ShownRun): string {
  if (startedAt === null || finishedAt === null) return ''
  return `${wholeDuration(Date.parse(finishedAt) - Date.parse(startedAt))} · `
}
