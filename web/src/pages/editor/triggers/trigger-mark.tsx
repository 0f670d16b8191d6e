import { IconAlertTriangle } from '../../../design/icons/page-icons.ts'
import { useEditor } from '../editor-context.ts'
import classes from './triggers.module.css'
import { useFailingTriggers } from './use-failing-triggers.ts'

/** Below a trigger that could not be started. */
export function TriggerMark({ node }: { readonly node: string }) {
  const editor = useEditor()
  const fault = useFailingTriggers().get(node)
  if (fault === undefined) return null
  return (
    <button
      type="button"
      className={`${classes.mark} nodrag`}
      title={fault.message}
      onClick={() => {
        editor.select({ parts: new Set([node]), wires: new Set() })
        editor.inspect('side')
      }}
    >
      <IconAlertTriangle size={13} aria-hidden />
      not started
    </button>
  )
}
