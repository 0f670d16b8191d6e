import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { useConnection } from '../../../api/live.ts'
import type { Flow as ReadFlow } from '../../../api/shapes.ts'
import { openFlow } from '../../../editor/graph/saved-flow.ts'
import type { Autosave } from '../../../editor/save/autosave.ts'
import type { EditorSession } from '../session/editor-session.ts'
import type { Saving } from '../session/saving-context.ts'
import { openAutosave } from './open-autosave.ts'

/** Saves the flow as it is edited, and takes over what others save: `live` is what the service has. */
export function useAutosave(session: EditorSession, live: ReadFlow, isDeleted: boolean): Saving {
  const api = useApi()
  const queries = useQueryClient()
  const connection = useConnection()
  const current = useRef<Autosave | undefined>(undefined)
  const newest = useRef(live)
  newest.current = live

  useEffect(() => {
    if (session.state().isReadOnly) return
    const { autosave, leave } = openAutosave({ session, api, queries, live: newest.current })
    current.current = autosave
    return () => {
      current.current = undefined
      leave()
    }
  }, [session, api, queries])

  useEffect(() => {
    if (session.state().isReadOnly) session.adopt(openFlow(live).document)
    else current.current?.hear(live.version)
  }, [session, live])

  useEffect(() => {
    if (connection === 'online') current.current?.reconnect()
  }, [connection])

  useEffect(() => {
    // What was refused while the flow was gone is welcome once it is back, whoever brought it.
    if (isDeleted) return () => current.current?.flush()
  }, [isDeleted])

  return useMemo(
    () => ({
      isDeleted,
      flush: () => current.current?.flush(),
      choose: (conflict, choice) => current.current?.choose(conflict, choice)
    }),
    [isDeleted]
  )
}
