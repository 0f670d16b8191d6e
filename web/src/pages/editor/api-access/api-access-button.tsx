import { IconCode } from '../../../design/icons/page-icons.ts'
import { useCommands } from '../../../shell/commands.ts'
import { type Editor, useEditor, useEditorState } from '../editor-context.ts'
import { FocusedPanel } from '../node-parts/focused-panel.tsx'
import { PanelButton } from '../panel-button.tsx'
import { ApiAccess } from './api-access.tsx'

const PANEL = 'api-access'
const KEYS = 'r'

/** In the editor's toolbar. */
export function ApiAccessButton() {
  const editor = useEditor()
  const isOpen = useEditorState(({ panel }) => panel?.id === PANEL)
  const toggle = () => (isOpen ? editor.closePanel() : showApiAccess(editor))
  useCommands([
    {
      id: 'flow.api-access',
      title: 'API access',
      group: 'Flow',
      keys: KEYS,
      icon: IconCode,
      keywords: 'curl javascript python key snippet',
      run: toggle
    }
  ])
  return (
    <PanelButton
      label="API access"
      word="API access"
      icon={IconCode}
      tip="How to call the flow from outside"
      keys={KEYS}
      isOpen={isOpen}
      onToggle={toggle}
    />
  )
}

function showApiAccess(editor: Editor): void {
  editor.showPanel({
    id: PANEL,
    title: 'API access',
    width: 520,
    content: (
      <FocusedPanel>
        <ApiAccess />
      </FocusedPanel>
    )
  })
}
