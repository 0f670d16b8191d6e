import { useEffect } from 'react'
import { useEditor, useEditorState } from '../editor-context.ts'
import { showConflicts } from './show-conflicts.tsx'

/** A conflict holds up saving, so it is shown as soon as there is one. */
export function useOpenConflicts(): void {
  const editor = useEditor()
  const isConflict = useEditorState(({ save }) => save?.theirs !== undefined)
  useEffect(() => {
    if (isConflict) showConflicts(editor)
  }, [isConflict, editor])
}
