import { useEditorState } from '../editor-context.ts'
import { ranWords } from './ran-words.ts'

/** Which version the shown run ran: "v7", "test", "test, edited since". */
export function RanVersion() {
  const version = useEditorState(({ run }) => run?.flowVersion)
  const isTest = useEditorState(({ run }) => run?.isTest === true)
  const isEdited = useEditorState(({ edited }) => edited.isEdited)
  return <>{ranWords({ version, isTest, isEdited })}</>
}
