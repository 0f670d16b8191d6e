import { useFlow } from '../api/flows.ts'
import { useMay } from '../api/session.ts'
import classes from './flow-address.module.css'
import { PauseButton, PauseNote } from './pause-note.tsx'

/** Whether a flow runs what arrives, or is paused; and the button for the other. */
export function FlowRunning({ flowId }: { readonly flowId: string }) {
  const mayWrite = useMay('write')
  const { data: flow } = useFlow(flowId)
  if (flow === undefined) return null
  return (
    <div>
      <div className={classes.label}>Runs</div>
      {flow.paused ? (
        <PauseNote flowId={flowId} />
      ) : (
        <div className={classes.line}>
          <span className={classes.slug}>What arrives runs at once.</span>
          {mayWrite && <PauseButton flow={flow} />}
        </div>
      )}
    </div>
  )
}
