import { Panel } from '@xyflow/react'
import { Link } from 'react-router'
import { IconArrowUpRight } from '../../../design/icons/editor-icons.ts'
import { IconX } from '../../../design/icons/page-icons.ts'
import { RelativeTime } from '../../../design/relative-time.tsx'
import { StateBadge } from '../../../design/state-badge.tsx'
import { useEditor, useEditorState } from '../editor-context.ts'
import classes from './run.module.css'

/** Which run is on the canvas, and the way to it. */
export function RunChip() {
  const editor = useEditor()
  const run = useEditorState((state) => state.run)
  const isChosen = useEditorState(({ chosenRun }) => chosenRun !== undefined)
  if (run === undefined) return null
  return (
    <Panel position="top-right">
      <section className={classes.chip} aria-label="The run on the canvas">
        <span className={classes.which}>{isChosen ? 'Chosen run' : 'Last run'}</span>
        <StateBadge state={run.status} />
        <RelativeTime at={run.createdAt} />
        <Link to={`/runs/${run.id}`} className={classes.link}>
          Details
          <IconArrowUpRight size={14} aria-hidden />
        </Link>
        {isChosen && (
          <button type="button" className={classes.newest} onClick={() => editor.showRun(undefined)}>
            <IconX size={14} aria-hidden />
            Show the newest
          </button>
        )}
      </section>
    </Panel>
  )
}
