import type { Step } from '../../../api/shapes.ts'
import { LogLines } from '../../../flow-parts/log-lines.tsx'
import classes from './inspector.module.css'

/** What the node wrote for people while it ran, such as by `console.log`; nothing where it wrote nothing. */
export function NodeLog({ lines = [] }: { readonly lines: Step['logs'] | undefined }) {
  if (lines.length === 0) return null
  return (
    <div className={classes.value} data-log>
      <h4>Log</h4>
      <LogLines lines={lines} />
    </div>
  )
}
