import { useCallback, useEffect } from 'react'
import { useEditor, useEditorState } from '../editor-context.ts'

/** Marks on the canvas what publishing changes, until the panel is closed or somebody goes back to the draft. */
export function useMarkedCanvas(isWanted: boolean) {
  const editor = useEditor()
  const live = useEditorState((state) => state.live)
  const isShown = useEditorState(({ viewed }) => viewed?.isReview === true)
  const show = useCallback(() => {
    const { version, document } = editor.state().live
    editor.viewVersion({ version, name: null, createdAt: '', document, isCompared: true, isReview: true })
  }, [editor])
  useEffect(() => {
    if (isWanted) show()
    return () => editor.viewVersion(undefined)
  }, [editor, isWanted, show])
  useEffect(() => {
    // Somebody else has published: it is compared with what is live now.
    const { viewed } = editor.state()
    if (viewed?.isReview === true && viewed.version !== live.version) show()
  }, [editor, live, show])
  return { isShown, show }
}
