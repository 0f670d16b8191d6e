import { RelativeTime } from '../../../design/relative-time.tsx'
import classes from './triggers.module.css'
import { useFailingTriggers } from './use-failing-triggers.ts'

/** Why a trigger starts no runs, and what comes next. */
export function TriggerNote({ node }: { readonly node: string }) {
  const fault = useFailingTriggers().get(node)
  if (fault === undefined) return null
  return (
    <div className={classes.note} role="alert">
      <p>
        <strong>It could not be started</strong>, <RelativeTime at={fault.at} />, so it starts no runs.
      </p>
      <p>{fault.message}</p>
      <p>
        It is tried again by itself, at most five minutes apart. After a change, publish: then it is tried at
        once.
      </p>
    </div>
  )
}
