import { IconSparkles } from '../../../design/icons/page-icons.ts'
import { useCommands } from '../../../shell/commands.ts'
import { useAssistance } from '../assistance.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import { PanelButton } from '../panel-button.tsx'
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
    <PanelButton
      label="Assistant"
      word={what}
      icon={IconSparkles}
      tip={`${what}: a model proposes, you decide`}
      keys={KEYS}
      isOpen={isOpen}
      onToggle={toggle}
      isFirstToShrink
    />
  )
}
