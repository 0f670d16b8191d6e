import type { AskedFor } from '../asked-for.ts'
import type { Editor } from '../editor-context.ts'
import { AssistantPanel } from './assistant-panel.tsx'

export const ASSISTANT = 'assistant'

export function showAssistant(editor: Editor, { repair }: AskedFor = {}): void {
  editor.showPanel({
    id: repair === undefined ? ASSISTANT : `${ASSISTANT} ${repair.run} ${repair.node}`,
    title: 'Assistant',
    width: 420,
    isSheet: true,
    content: <AssistantPanel repair={repair} />
  })
}
