import type { Editor } from '../editor-context.ts'
import { FixingPanel } from './fixing-panel.tsx'

/** The payload of a run that failed, below the canvas: the node that failed is beside it. */
export function showFixing(editor: Pick<Editor, 'showPanel'>, run: string): void {
  editor.showPanel({
    id: 'fixing',
    title: 'Fix and replay',
    place: 'below',
    isSheet: true,
    content: <FixingPanel run={run} />
  })
}
