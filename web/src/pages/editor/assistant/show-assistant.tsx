import { lazy, Suspense } from 'react'
import { LoadingState } from '../../../design/loading-state.tsx'
import type { AskedFor } from '../asked-for.ts'
import type { Editor } from '../editor-context.ts'

const AssistantPanel = lazy(async () => ({ default: (await import('./assistant-panel.tsx')).AssistantPanel }))

export const ASSISTANT = 'assistant'

export function showAssistant(editor: Editor, { repair }: AskedFor = {}): void {
  editor.showPanel({
    id: repair === undefined ? ASSISTANT : `${ASSISTANT} ${repair.run} ${repair.node}`,
    title: 'Assistant',
    width: 420,
    isSheet: true,
    content: (
      <Suspense fallback={<LoadingState rows={4} />}>
        <AssistantPanel repair={repair} />
      </Suspense>
    )
  })
}
