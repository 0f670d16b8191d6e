import type { Editor } from '../editor-context.ts'
import { Conflicts } from './conflicts.tsx'
import { CONFLICTS } from './conflicts-panel.ts'

export function showConflicts(editor: Editor): void {
  editor.showPanel({ id: CONFLICTS, title: 'Two editors, one flow', content: <Conflicts />, width: 460 })
}
