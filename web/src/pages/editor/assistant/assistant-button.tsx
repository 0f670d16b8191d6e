import { Tooltip } from '@mantine/core'
import { IconSparkles } from '../../../design/icons/page-icons.ts'
import { useCommands } from '../../../shell/commands.ts'
import { KeyCaps } from '../../../shell/key-caps.tsx'
import { useAssistance } from '../assistance.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import classes from './assistant.module.css'
import { ASSISTANT } from './show-assistant.tsx'

const KEYS = 'shift+a'

/** In the editor's toolbar, where there is a model to ask. */
export function AssistantButton() {
  const { isOffered } = useAssistance()
  return isOffered ? <Offered /> : null
}

function Offered() {
  const editor = useEditor()
  const assistance = useAssistance()
  const isOpen = useEditorState(({ panel }) => panel?.id.startsWith(ASSISTANT) === true)
  const isEmpty = useEditorState(({ flow }) => flow.nodes.length === 0)
  const what = isEmpty ? 'Describe it' : 'Change it'
  const toggle = () => (isOpen ? editor.closePanel() : assistance.open())
  useCommands([
    {
      id: 'flow.assistant',
      title: `${what} with the assistant`,
      group: 'Flow',
      keys: KEYS,
      icon: IconSparkles,
      keywords: 'ai assistant copilot describe change generate',
      run: toggle
    }
  ])
  return (
    <Tooltip
      label={
        <span className={classes.tip}>
          {what}: a model proposes, you decide <KeyCaps keys={KEYS} />
        </span>
      }
    >
      <button
        type="button"
        className={classes.button}
        aria-label="Assistant"
        aria-pressed={isOpen}
        onClick={toggle}
      >
        <IconSparkles size={16} aria-hidden />
        <span>{what}</span>
      </button>
    </Tooltip>
  )
}
