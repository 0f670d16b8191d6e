import { useMemo } from 'react'
import type { Node } from '../../../editor/graph/flow.ts'
import { indexWires } from '../../../editor/graph/wire-index.ts'
import { useEditorState } from '../editor-context.ts'
import { type DrawnNode, drawNode } from './drawn-nodes.ts'

export function useDrawnNode(node: Node): DrawnNode {
  const flow = useEditorState((state) => state.flow)
  const catalogue = useEditorState((state) => state.catalogue)
  return useMemo(() => drawNode(indexWires(flow), catalogue, node), [flow, catalogue, node])
}
