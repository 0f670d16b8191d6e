import type { Editor } from '../../editor-context.ts'
import { TestRequestPanel } from './test-request-panel.tsx'

/** Opens the test request beside the canvas. */
export function showTestRequest(editor: Editor, node: string): void {
  editor.showPanel({
    id: `test-request-${node}`,
    title: 'Send a test request',
    width: 440,
    content: <TestRequestPanel node={node} />
  })
}
