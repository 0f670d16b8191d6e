import type { Editor } from '../editor-context.ts'
import { PublishPanel } from './publish-panel.tsx'

export const PUBLISH = 'publish'

export function showPublish(editor: Editor): void {
  editor.showPanel({ id: PUBLISH, title: 'Publish', content: <PublishPanel />, width: 420, isSheet: true })
}
