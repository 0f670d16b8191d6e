import type { Editor } from '../editor-context.ts'
import { ArrivalPanel } from './arrival-panel.tsx'

export function showArrival(editor: Editor): void {
  editor.showPanel({
    id: 'arrival',
    title: 'Send me something',
    content: <ArrivalPanel />,
    width: 420,
    isSheet: true
  })
}
