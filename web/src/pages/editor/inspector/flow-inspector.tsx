import { standingInWords } from '../../../editor/graph/live-standing.ts'
import { useEditorState } from '../editor-context.ts'
import { useHasChanges } from '../save/use-has-changes.ts'
import { useShownNames } from '../session/use-shown-names.ts'
import { FlowSettings } from '../settings/flow-settings.tsx'
import classes from './inspector.module.css'
import { InspectorFrame } from './inspector-frame.tsx'

/** Where nothing is selected: the flow as a whole, and what is wrong anywhere in it. */
export function FlowInspector({ isWide }: { readonly isWide: boolean }) {
  const name = useEditorState(({ flow }) => flow.name)
  const faults = useEditorState((state) => state.faults.all)
  const names = useShownNames()
  return (
    <InspectorFrame title={name} isWide={isWide}>
      {faults.length > 0 && (
        <ul className={classes.faults} aria-label="Faults of the flow">
          {faults.map((fault) => (
            <li key={`${fault.path} ${fault.message}`}>{names.fault(fault)}</li>
          ))}
        </ul>
      )}
      <NotPublished />
      <FlowSettings />
    </InspectorFrame>
  )
}

/** What is drawn and what is live are two things: which is which is told here as well. */
function NotPublished() {
  const live = useEditorState((state) => state.live)
  const hasChanges = useHasChanges()
  return <p className={`${classes.source} ${classes.standing}`}>{standingInWords(live, hasChanges)}</p>
}
