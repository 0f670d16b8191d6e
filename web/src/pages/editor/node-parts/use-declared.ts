import { useCallback } from 'react'
import type { Declared } from '../../../editor/template/complete-template.ts'
import { declaredValues } from '../../../editor/template/declared-values.ts'
import { useEditor } from '../editor-context.ts'

/** What the flow says that the templates of a node may read, when it is asked for: to find it out takes a look at all wires. */
export function useDeclared(node: string): () => Declared {
  const editor = useEditor()
  return useCallback(() => {
    const { flow, catalogue } = editor.state()
    return declaredValues(flow, catalogue, node)
  }, [editor, node])
}
