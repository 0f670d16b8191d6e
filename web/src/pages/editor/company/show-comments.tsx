import type { Editor } from '../editor-context.ts'
import { CommentsPanel } from './comments-panel.tsx'

export const COMMENTS = 'comments'

/** To be read or, of a node, to be written. */
export function showComments(editor: Pick<Editor, 'showPanel'>, node?: string): void {
  const content = <CommentsPanel key={node} isToWrite={node !== undefined} />
  editor.showPanel({ id: COMMENTS, title: 'Comments', content, isSheet: true })
}
