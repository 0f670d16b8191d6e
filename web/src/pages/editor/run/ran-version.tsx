import { useEditorState } from '../editor-context.ts'

/** Which version the shown run ran: "v7", "draft", "draft, edited since". */
export function RanVersion() {
  const version = useEditorState(({ run }) => run?.flowVersion)
  const isTest = useEditorState(({ run }) => run?.isTest === true)
  const isEdited = useEditorState(({ edited }) => edited.isEdited)
  return (
    <>
      {isTest ? 'draft' : `v${version}`}
      {isEdited && ', edited since'}
    </>
  )
}
