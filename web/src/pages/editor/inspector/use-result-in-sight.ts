import { useEffect, useRef } from 'react'
import { useEditorState } from '../editor-context.ts'
import { useTesting } from '../session/testing-context.ts'

/** What came of a test is brought into sight when it is there: below long settings nobody would see that it failed. */
export function useResultInSight() {
  const place = useRef<HTMLElement>(null)
  const { begun } = useTesting()
  const isThere = useEditorState(
    ({ run }) => run !== undefined && run.id === begun && run.finishedAt !== null
  )
  const seen = useRef(begun)
  useEffect(() => {
    if (!isThere || seen.current === begun) return
    seen.current = begun
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [isThere, begun])
  return place
}
