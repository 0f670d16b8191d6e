import { useMemo } from 'react'
import { ShownNames } from '../../../editor/wiring/shown-names.ts'
import { useEditorState } from '../editor-context.ts'

/** By what is drawn; nodes that are live alone, and may be called by a change that removes them, have their names still. */
export function useShownNames(): ShownNames {
  const drawn = useEditorState(({ flow }) => flow.nodes)
  const live = useEditorState((state) => state.live.document.nodes)
  const catalogue = useEditorState((state) => state.catalogue)
  return useMemo(() => {
    const ids = new Set(drawn.map(({ id }) => id))
    return new ShownNames({ nodes: [...drawn, ...live.filter(({ id }) => !ids.has(id))] }, catalogue)
  }, [drawn, live, catalogue])
}
