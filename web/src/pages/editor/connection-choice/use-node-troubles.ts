import { connectionTroubles, type Standing } from '../../../editor/connection-lookup/connection-standing.ts'
import type { Node } from '../../../editor/graph/flow.ts'
import { useEditorState } from '../editor-context.ts'
import { useAround } from './use-around.ts'

/** The connections of a node that are missing or of another kind. */
export function useNodeTroubles(node: Node): readonly Standing[] {
  const catalogue = useEditorState((state) => state.catalogue)
  const around = useAround()
  return around === undefined ? [] : connectionTroubles({ nodes: [node] }, catalogue, around)
}
