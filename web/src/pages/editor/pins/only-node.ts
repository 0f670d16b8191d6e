import { findNode } from '../../../editor/graph/flow.ts'
import type { EditorState } from '../editor-context.ts'

/** The node that is selected, where it is one and nothing else is. */
export function onlyNode({ flow, selection }: Pick<EditorState, 'flow' | 'selection'>): string | undefined {
  const [only] = selection.parts.size === 1 ? selection.parts : []
  return only === undefined ? undefined : findNode(flow, only)?.id
}
