import { useCallback, useEffect } from 'react'
import { useEditor, useEditorState } from '../editor-context.ts'

/** Marks on the canvas what publishing changes, until the panel is closed or somebody goes back to the draft. */
export function useMarkedCanvas(isWanted: boolean) {
  const editor = useEditor()
  const live = useEditorState((state) => state.live)
  const isShown = useEditorState(({ look }) => look?.isReview === true)
  const show = useCallback(() => {
    const { version, document } = editor.state().live
    editor.lookAt({ version, name: null, createdAt: '', document, isCompared: true, isReview: true })
  }, [editor])
  useEffect(() => {
    if (isWanted) show()
    return () => editor.lookAt(undefined)
  }, [editor, isWanted, show])
  useEffect(() => {
    // Somebody else has published: it is compared with what is live now.
    const { look } = editor.state()
    if (look?.isReview === true && look.version !== live.version) show()
  }, [editor, live, show])
  return { isShown, show }
}
