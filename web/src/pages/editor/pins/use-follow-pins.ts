import { useEffect } from 'react'
import { usePins } from '../../../api/pins.ts'
import { useEditorState } from '../editor-context.ts'
import { useEditorSession } from '../session/session-context.ts'

/** Keeps what is pinned in the session. Whoever may not write cannot test, so pins mean nothing to them. */
export function useFollowPins(): void {
  const session = useEditorSession()
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const pins = usePins(session.flowId, !isReadOnly)
  useEffect(() => {
    if (pins !== undefined) session.setPins(pins)
  }, [session, pins])
}
