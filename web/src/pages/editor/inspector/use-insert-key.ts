import type { JsonValue } from '../../../../../src/flows/json/exact-json.ts'
import { notifyRefusal } from '../../../design/notify.tsx'
import { insertKey } from '../../../editor/template/insert-key.ts'
import { placeForKey } from '../../../editor/template/place-for-key.ts'
import type { ValuePath } from '../../../editor/template/template-path.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import { fieldValue } from '../fields/field-value.ts'
import type { DrawnNode } from '../geometry/drawn-nodes.ts'
import { useLeftCaret } from '../session/left-caret.ts'

/** Puts a key of what came in into a template of the node; undefined where it has none, or may not be changed. */
export function useInsertKey({ node, component }: DrawnNode) {
  const editor = useEditor()
  const left = useLeftCaret()
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const fields = component?.fields ?? {}
  const textOf = (name: string) => String(fieldValue(node, name, fields[name]!))
  const placeNow = () =>
    placeForKey(fields, textOf, left.current?.node === node.id ? left.current : undefined)
  const hasTemplate = Object.values(fields).some(({ kind, hidden }) => kind === 'template' && hidden !== true)
  if (isReadOnly || !hasTemplate) return undefined
  return (path: ValuePath, payload: JsonValue) => {
    const place = placeNow()
    if (place === undefined) return notifyRefusal('The key was not inserted', WHERE)
    const text = textOf(place.field)
    const insertion = insertKey(text, place.at, path, payload)
    if (insertion.message !== undefined) return notifyRefusal('The key was not inserted', insertion.message)
    const { from, to, text: key } = insertion
    editor.setField(node.id, place.field, text.slice(0, from) + key + text.slice(to))
    left.current = { node: node.id, field: place.field, at: from + key.length }
  }
}

const WHERE = 'Click into the template that it is meant for, and then on the key.'
