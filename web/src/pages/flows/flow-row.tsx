import { Link } from 'react-router'
import type { ListedFlow } from '../../api/shapes.ts'
import { IconFolder } from '../../design/icons/page-icons.ts'
import { RelativeTime } from '../../design/relative-time.tsx'
import { StateBadge } from '../../design/state-badge.tsx'
import { FlowMenu } from './flow-menu.tsx'
import classes from './flows-page.module.css'
import { preloadEditor } from './preload-editor.ts'
import { RunStrip } from './run-strip.tsx'

interface FlowRowProps {
  readonly flow: ListedFlow
  readonly takenNames: ReadonlySet<string>
}

export function FlowRow({ flow, takenNames }: FlowRowProps) {
  const runs = flow.recent_runs ?? []
  const newest = runs[0]
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <Link
          to={`/flows/${flow.id}`}
          className={classes.name}
          data-flow-link
          onPointerEnter={preloadEditor}
          onFocus={preloadEditor}
        >
          {flow.name}
        </Link>
        <div className={classes.about}>
          <code className={classes.slug} title={flow.slug}>
            {flow.slug}
          </code>
          {flow.context !== '/' && (
            <Link
              to={`/contexts?context=${encodeURIComponent(flow.context)}`}
              className={classes.context}
              title={flow.context}
            >
              <IconFolder size={13} aria-hidden />
              <span className={classes.path}>
                <bdi>{flow.context}</bdi>
              </span>
            </Link>
          )}
          {flow.description && <span className={classes.description}>{flow.description}</span>}
        </div>
      </div>
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
      <div className={classes.menu}>
        <FlowMenu flow={flow} takenNames={takenNames} />
      </div>
    </li>
  )
}
