import { missingConnections } from '../../../connection-forms/missing-connections.ts'
import { IconAlertTriangle } from '../../../design/icons/page-icons.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import classes from './missing.module.css'
import { MissingPanel } from './missing-panel.tsx'
import { troublesOf } from './troubles-of.ts'
import { useConnectionTroubles } from './use-troubles.ts'

const PANEL = 'missing-connections'

/** In the editor's toolbar, while nodes name connections that the flow's context does not have. */
export function MissingConnectionsButton() {
  const editor = useEditor()
  const isOpen = useEditorState(({ panel }) => panel?.id === PANEL)
  const { length } = missingConnections(troublesOf(useConnectionTroubles()))
  if (length === 0) return null
  const label = length === 1 ? '1 connection missing' : `${length} connections missing`
  const show = () =>
    editor.showPanel({ id: PANEL, title: 'Missing connections', width: 400, content: <MissingPanel /> })
  return (
    <button
      type="button"
      className={classes.button}
      data-warning
      aria-label={label}
      title={label}
      aria-pressed={isOpen}
      onClick={() => (isOpen ? editor.closePanel() : show())}
    >
      <IconAlertTriangle size={16} aria-hidden />
      <span>{label}</span>
    </button>
  )
}
