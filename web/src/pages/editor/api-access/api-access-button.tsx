import { Tooltip } from '@mantine/core'
import { IconCode } from '../../../design/icons/page-icons.ts'
import { useCommands } from '../../../shell/commands.ts'
import { KeyCaps } from '../../../shell/key-caps.tsx'
import { type Editor, useEditor, useEditorState } from '../editor-context.ts'
import { FocusedPanel } from '../node-parts/focused-panel.tsx'
import classes from './api-access.module.css'
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
    <Tooltip
      label={
        <span className={classes.tip}>
          How to call the flow from outside <KeyCaps keys={KEYS} />
        </span>
      }
    >
      <button
        type="button"
        className={classes.button}
        aria-label="API access"
        aria-pressed={isOpen}
        onClick={toggle}
      >
        <IconCode size={16} aria-hidden />
        <span>API access</span>
      </button>
    </Tooltip>
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
