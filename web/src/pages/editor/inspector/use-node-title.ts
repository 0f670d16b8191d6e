import type { Node } from '../../../editor/graph/flow.ts'
import { useEditor, useEditorState } from '../editor-context.ts'

/** For a field in which the title of a node is typed; without one of its own it has that of its component. */
export function useNodeTitle(node: Node, kind: string) {
  const editor = useEditor()
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  return {
    placeholder: kind,
    value: node.title ?? '',
    readOnly: isReadOnly,
    maxLength: 200,
    onChange: ({ target }: React.ChangeEvent<HTMLInputElement>) => {
      const title = target.value === '' ? null : target.value
      editor.execute({ kind: 'change-node', node: node.id, changes: { title } })
    }
  }
}
