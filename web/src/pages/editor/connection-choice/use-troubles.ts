import { useMemo, useRef } from 'react'
import { connectionTroubles, type Standing } from '../../../editor/connection-lookup/connection-standing.ts'
import { equalJson } from '../../../editor/graph/equal-json.ts'
import { useEditorState } from '../editor-context.ts'
import { useAround } from './use-around.ts'

const NONE: readonly Standing[] = []

/** The nodes whose connection is missing or of another kind; the same list while it says the same. */
export function useConnectionTroubles(): readonly Standing[] {
  const flow = useEditorState((state) => state.flow)
  const catalogue = useEditorState((state) => state.catalogue)
  const around = useAround()
  const found = useMemo(
    () => (around === undefined ? NONE : connectionTroubles(flow, catalogue, around)),
    [flow, catalogue, around]
  )
  const last = useRef(found)
  if (!equalJson(last.current, found)) last.current = found
  return last.current
}
