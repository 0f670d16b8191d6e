import type { Editor } from '../editor-context.ts'
import { Outline } from './outline.tsx'

export const OUTLINE = 'outline'

/** The flow as a list beside the canvas: everything that can be done there can be done here, without a pointer. */
export function showOutline(editor: Editor): void {
  editor.showPanel({ id: OUTLINE, title: 'List view', content: <Outline key="list" />, width: 400 })
}

/** The same, for somebody who looks for something in it. */
export function findInOutline(editor: Editor): void {
  editor.showPanel({ id: OUTLINE, title: 'List view', content: <Outline key="find" isFinding />, width: 400 })
}
