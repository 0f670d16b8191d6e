import { useEditorState } from '../editor-context.ts'
import { useHasChanges } from '../save/use-has-changes.ts'
import { FlowSettings } from '../settings/flow-settings.tsx'
import classes from './inspector.module.css'
import { InspectorFrame } from './inspector-frame.tsx'

/** Where nothing is selected: the flow as a whole, and what is wrong anywhere in it. */
export function FlowInspector({ isWide }: { readonly isWide: boolean }) {
  const name = useEditorState(({ flow }) => flow.name)
  const faults = useEditorState((state) => state.faults.all)
  return (
    <InspectorFrame title={name} isWide={isWide}>
      {faults.length > 0 && (
        <ul className={classes.faults} aria-label="Faults of the flow">
          {faults.map(({ path, message }) => (
            <li key={`${path} ${message}`}>{message}</li>
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
  const version = useEditorState(({ live }) => live.version)
  const hasChanges = useHasChanges()
  return (
    <p className={classes.source}>
      {hasChanges
        ? `Version ${version} is live. The draft differs from it; Publish shows how.`
        : `Version ${version} is live, and there are no changes.`}
    </p>
  )
}
