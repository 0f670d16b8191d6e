import { use, useMemo } from 'react'
import { useFlow } from '../../api/flows.ts'
import { useModelConnections } from '../../flow-parts/use-model-connections.ts'
import type { AskedFor } from './asked-for.ts'
import { useEditor, useEditorState } from './editor-context.ts'
import { LoadToolsContext } from './lazy-tools.tsx'

interface Assistance {
  /** Without a model, and for a flow that a followed folder keeps, nothing of it is shown. */
  readonly isOffered: boolean
  open(asked?: AskedFor): void
}

/** A model that proposes changes of the open flow. */
export function useAssistance(): Assistance {
  const editor = useEditor()
  const loadTools = use(LoadToolsContext)
  const context = useEditorState(({ flow }) => flow.context)
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const catalogue = useEditorState((state) => state.catalogue)
  const connections = useModelConnections(context, (type) => catalogue.facts(type))
  const { data: read } = useFlow(editor.flowId)
  // What comes from a file is changed there.
  const isOffered = !isReadOnly && read?.from_file !== true && connections.length > 0
  return useMemo(
    () => ({
      isOffered,
      open: (asked = {}) => void loadTools().then(({ showAssistant }) => showAssistant(editor, asked))
    }),
    [isOffered, editor, loadTools]
  )
}
