import { IconAlertTriangle } from '../../../design/icons/page-icons.ts'
import { findNode } from '../../../editor/graph/flow.ts'
import { useEditor } from '../editor-context.ts'
import classes from './triggers.module.css'
import { useFailingTriggers } from './use-failing-triggers.ts'

/** In the editor's toolbar, while something that should start the flow could not be started. Leads to the first of them. */
export function FailingTriggersButton() {
  const editor = useEditor()
  const failing = [...useFailingTriggers()]
  const [first] = failing
  if (first === undefined) return null
  const [node, { message }] = first
  const label = failing.length === 1 ? 'Trigger fails' : `${failing.length} triggers fail`
  const show = () => {
    // What is live may have nodes that are drawn no longer.
    if (findNode(editor.state().flow, node) === undefined) return
    editor.goTo(node)
    editor.inspect('side')
  }
  return (
    <button
      type="button"
      className={classes.button}
      data-warning
      aria-label={label}
      title={message}
      onClick={show}
    >
      <IconAlertTriangle size={16} aria-hidden />
      <span>{label}</span>
    </button>
  )
}
