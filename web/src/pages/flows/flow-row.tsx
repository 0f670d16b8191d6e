import { memo, type RefObject } from 'react'
import { Link } from 'react-router'
import type { ListedFlow } from '../../api/shapes.ts'
import { IconFolder } from '../../design/icons/page-icons.ts'
import { RelativeTime } from '../../design/relative-time.tsx'
import { StateBadge } from '../../design/state-badge.tsx'
import { FlowMarks } from './flow-marks.tsx'
import { FlowMenu } from './flow-menu.tsx'
import { FlowStart } from './flow-start.tsx'
import { FlowSwitch } from './flow-switch.tsx'
import { FlowTags } from './flow-tags.tsx'
import classes from './flows-page.module.css'
import type { OpenDialog } from './open-dialog.ts'
import { preloadEditor } from './preload-editor.ts'
import type { RowHandlers } from './row-handlers.ts'
import { RunStrip } from './run-strip.tsx'

interface FlowRowProps {
  readonly flow: ListedFlow
  readonly isChosen: boolean
  readonly onChoose: (id: string, isRange: boolean) => void
  /** Runs that wait for it to be resumed. */
  readonly held: number
  readonly showsContext: boolean
  readonly onDialog: OpenDialog
  /** The newest ones, in something that stays the same. */
  readonly handlers: RefObject<RowHandlers>
}

/** Not drawn again for what happens to another flow: of hundreds, one has a run. */
export const FlowRow = memo(function FlowRow({ flow, ...props }: FlowRowProps) {
  const { isChosen, onChoose, onDialog, handlers } = props
  return (
    <li className={classes.row} data-chosen={isChosen || undefined}>
      <input
        type="checkbox"
        className={classes.box}
        aria-label={`Choose ${flow.name}`}
        checked={isChosen}
        onChange={(event) => onChoose(flow.id, (event.nativeEvent as MouseEvent).shiftKey)}
      />
      <div className={classes.summary}>
        <div className={classes.head}>
          <Link
            to={`/flows/${flow.id}`}
            className={classes.name}
            data-flow-link={flow.id}
            onPointerEnter={preloadEditor}
            onFocus={preloadEditor}
          >
            {flow.name}
          </Link>
          <FlowMarks flow={flow} held={props.held} />
        </div>
        <div className={classes.about}>
          <code className={classes.slug} title={flow.slug}>
            {flow.slug}
          </code>
          <FlowStart flow={flow} />
          {props.showsContext && <ContextLink context={flow.context} />}
          <FlowTags
            flow={flow}
            onEdit={() => onDialog({ kind: 'tags', flows: [flow] })}
            onTag={(tag) => handlers.current.onTag(tag)}
            onRemove={(tag) => void handlers.current.actions.changeTags([flow], { add: [], remove: [tag] })}
          />
          {flow.description && <span className={classes.description}>{flow.description}</span>}
        </div>
      </div>
      <NewestRuns flow={flow} />
      <div className={classes.menu}>
        <FlowSwitch flow={flow} handlers={handlers} onDialog={onDialog} />
        <FlowMenu flow={flow} handlers={handlers} onDialog={onDialog} />
      </div>
    </li>
  )
})

function ContextLink({ context }: { readonly context: string }) {
  return (
    <Link to={`/contexts?context=${encodeURIComponent(context)}`} className={classes.context} title={context}>
      <IconFolder size={13} aria-hidden />
      <span className={classes.path}>
        <bdi>{context}</bdi>
      </span>
    </Link>
  )
}

const NewestRuns = memo(function NewestRuns({ flow }: { readonly flow: ListedFlow }) {
  const runs = flow.recent_runs ?? []
  const newest = runs[0]
  return (
    <div className={classes.runs}>
      <RunStrip flow={flow} runs={runs} />
      <div className={classes.last}>
        {newest === undefined ? (
          <span className={classes.quiet}>No runs yet</span>
        ) : (
          <>
            <StateBadge state={newest.status} />
            <Link to={`/runs/${newest.id}`} className={classes.quiet}>
              <span className="visually-hidden">Newest run of {flow.name}, </span>
              <RelativeTime at={newest.created_at} />
            </Link>
          </>
        )}
      </div>
    </div>
  )
})
