import { useMemo } from 'react'
import { equalJson } from '../../../editor/graph/equal-json.ts'
import { useEditorState } from '../editor-context.ts'

/** Which version the shown run ran: "v7", "draft", "draft, edited since". */
export function RanVersion() {
  const version = useEditorState(({ run }) => run?.flowVersion)
  const isTest = useEditorState(({ run }) => run?.isTest === true)
  const isEdited = useEditorState(({ edited }) => edited.isEdited)
  const flow = useEditorState((state) => state.flow)
  const live = useEditorState((state) => state.live.document)
  // A test where there is nothing to publish ran what is live.
  const isDraft = useMemo(
    () => isTest && (isEdited || !equalJson(flow, live)),
    [isTest, isEdited, flow, live]
  )
  return (
    <>
      {isDraft ? 'draft' : `v${version}`}
      {isEdited && ', edited since'}
    </>
  )
}
