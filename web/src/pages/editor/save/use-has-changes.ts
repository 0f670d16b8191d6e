import { useMemo } from 'react'
import { equalJson } from '../../../editor/graph/equal-json.ts'
import { useEditorState } from '../editor-context.ts'

/** Whether what is drawn differs from what is live: there is something to publish. */
export function useHasChanges(): boolean {
  const flow = useEditorState((state) => state.flow)
  const live = useEditorState((state) => state.live.document)
  return useMemo(() => !equalJson(flow, live), [flow, live])
}
