import { useRunTexts } from '../../../api/live.ts'
import { duration } from '../../../design/format-time.ts'
import { StateBadge } from '../../../design/state-badge.tsx'
import { type NodeRun, useEditorState } from '../editor-context.ts'
import classes from './node.module.css'
import { previewOf, tailOf } from './value-preview.ts'

/** What the shown run did here: state, time, and the last value or what went wrong. */
export function NodeRunStrip({ node, run }: { readonly node: string; readonly run: NodeRun }) {
  const said = useSaidText(node)
  const value = previewOf(run.outputs) ?? (said === undefined ? undefined : tailOf(said))
  return (
    <footer className={classes.run} data-run={node}>
      <div className={classes.runLine}>
        <StateBadge state={run.status} />
        <span className={classes.runFacts}>
          {run.attempts > 1 && <span>{run.attempts} attempts</span>}
          {run.duration_ms !== null && <span>{duration(run.duration_ms)}</span>}
        </span>
      </div>
      {run.error !== null && <p className={classes.runError}>{run.error.message}</p>}
      {run.error === null && value !== undefined && <p className={classes.runValue}>{value}</p>}
    </footer>
  )
}

/** What the step says while it works. */
function useSaidText(node: string): string | undefined {
  const runId = useEditorState(({ run }) => run?.id ?? '')
  return useRunTexts(runId).get(node)
}
