import type { ListedFlow } from '../../api/shapes.ts'
import { counted } from '../../design/counted.ts'
import { IconAlertTriangle, IconEdit } from '../../design/icons/page-icons.ts'
import { PausedBadge } from '../../flow-parts/pause-note.tsx'
import classes from './flow-marks.module.css'

/** What somebody has to know of a flow before it is opened: it is paused, not all of it is published, it has faults, nothing starts it. */
export function FlowMarks({ flow, held }: { readonly flow: ListedFlow; readonly held: number }) {
  const { paused, draft, warnings = [], failing_triggers: failing = [] } = flow
  const faults = draft?.faults ?? 0
  return (
    <>
      {paused && <PausedBadge paused={paused} held={held} />}
      {failing.length > 0 && (
        <span
          className={classes.faults}
          title={failing.map(({ node, message }) => `${node}: ${message}`).join('\n')}
        >
          <IconAlertTriangle size={12} aria-hidden />
          {failing.length === 1 ? 'Trigger fails' : `${failing.length} triggers fail`}
        </span>
      )}
      {draft && (
        <span
          className={classes.draft}
          title={`A draft${draft.author === null ? '' : ` of ${draft.author}`} is not published.`}
        >
          <IconEdit size={12} aria-hidden />
          Draft
        </span>
      )}
      {faults > 0 && (
        <span className={classes.faults} title="The draft cannot be published until they are fixed.">
          <IconAlertTriangle size={12} aria-hidden />
          {counted(faults, 'problem')}
        </span>
      )}
      {warnings.length > 0 && (
        <span className={classes.warnings} title={warnings.map(({ message }) => message).join('\n')}>
          <IconAlertTriangle size={12} aria-hidden />
          {counted(warnings.length, 'warning')}
        </span>
      )}
    </>
  )
}
