import { findNode, type Node, type Note, notesOf } from '../../../editor/graph/flow.ts'
import { findGroup, type Group } from '../../../editor/groups/groups.ts'
import { useEditorState } from '../editor-context.ts'

/** How many parts are selected and, where it is one, which: at most one of the three is there. */
interface SelectedPart {
  readonly count: number
  readonly node: Node | undefined
  readonly group: Group | undefined
  readonly note: Note | undefined
}

export function useSelectedPart(): SelectedPart {
  const parts = useEditorState(({ selection }) => selection.parts)
  const [only] = parts.size === 1 ? parts : []
  const node = useEditorState(({ flow }) => (only === undefined ? undefined : findNode(flow, only)))
  const group = useEditorState(({ flow }) => (only === undefined ? undefined : findGroup(flow, only)))
  const note = useEditorState(({ flow }) => notesOf(flow).find(({ id }) => id === only))
  return { count: parts.size, node, group, note: group === undefined ? note : undefined }
}
