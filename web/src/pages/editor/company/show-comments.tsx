import type { Editor } from '../editor-context.ts'
import { CommentsPanel } from './comments-panel.tsx'

export const COMMENTS = 'comments'

export function showComments(editor: Pick<Editor, 'showPanel'>): void {
  editor.showPanel({ id: COMMENTS, title: 'Comments', content: <CommentsPanel />, isSheet: true })
}
