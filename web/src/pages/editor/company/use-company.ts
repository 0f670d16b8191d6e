import { useFollowComments } from '../../../api/comments.ts'
import { useTellPresence } from '../../../api/presence.ts'
import { useEditor, useEditorState } from '../editor-context.ts'

/** Tells the others who have the flow open where this page is. */
export function useCompany(): void {
  const { flowId } = useEditor()
  const node = useEditorState(({ selection: { parts } }) => {
    const [only, ...others] = parts
    return only !== undefined && others.length === 0 ? only : null
  })
  useTellPresence(flowId, node)
  useFollowComments(flowId)
}
