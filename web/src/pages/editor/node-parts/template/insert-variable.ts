import type { EditorView } from '@codemirror/view'
import type { JsonValue } from '../../../../../../src/flows/json/exact-json.ts'
import { scanTemplate } from '../../../../../../src/flows/template/scan-template.ts'
import { insertKey } from '../../../../editor/template/insert-key.ts'
import type { ValuePath } from '../../../../editor/template/template-path.ts'

/** Puts a key of the payload in at an offset, and the cursor behind it. Answers why not, where it cannot. */
export function insertInto(
  view: EditorView,
  at: number,
  path: ValuePath,
  payload: JsonValue
): string | undefined {
  const insertion = insertKey(view.state.doc.toString(), at, path, payload)
  if (insertion.message !== undefined) return insertion.message
  const { from, to, text } = insertion
  view.dispatch({
    changes: { from, to, insert: text },
    selection: { anchor: from + text.length },
    userEvent: 'input.drop'
  })
  view.focus()
  return undefined
}

/** The path that dragged text stands for, where it is one variable and nothing else. */
export function draggedPath(text: string): ValuePath | undefined {
  const [piece, ...more] = scanTemplate(text)
  if (piece?.kind !== 'field' || more.length > 0) return undefined
  const { steps, spec, fallback, contextName } = piece.field
  if (spec !== undefined || fallback !== undefined || contextName !== undefined) return undefined
  return steps.map(({ key, index }, place) => (place > 0 && index >= 0 ? index : key))
}
