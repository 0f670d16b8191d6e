import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { useApi } from '../../../api/api-context.ts'
import type { ReadDraft } from '../../../api/drafts.ts'
import { useConnection } from '../../../api/live.ts'
import type { Flow as ReadFlow } from '../../../api/shapes.ts'
import { openFlow } from '../../../editor/graph/saved-flow.ts'
import type { EditorSession } from '../session/editor-session.ts'
import type { Saving } from '../session/saving-context.ts'
import { type OpenAutosave, openAutosave } from './open-autosave.ts'
import { publishDraft } from './publish-draft.ts'

/** What the service has. */
export interface ServiceFlow {
  readonly flow: ReadFlow
  readonly draft: ReadDraft | null
  readonly isDeleted: boolean
}

/** Saves the draft as it is edited, and takes over what others save. What is live stays as it is. */
export function useAutosave(session: EditorSession, { flow, draft, isDeleted }: ServiceFlow): Saving {
  const api = useApi()
  const queries = useQueryClient()
  const connection = useConnection()
  const current = useRef<OpenAutosave | undefined>(undefined)
  const newest = useRef({ flow, draft })
  newest.current = { flow, draft }

  useEffect(() => {
    if (session.state().isReadOnly) return
    const opened = openAutosave({ session, api, queries, ...newest.current })
    current.current = opened
    return () => {
      current.current = undefined
      opened.leave()
    }
  }, [session, api, queries])

  useEffect(() => {
    const { version, document } = openFlow(flow)
    session.setLive({ version, document })
    if (session.state().isReadOnly) session.adopt(document)
    else current.current?.editions.hear({ kind: 'flow saved', version })
  }, [session, flow])

  useEffect(() => {
    const news = draft === null ? DRAFT_GONE : ({ kind: 'draft saved', revision: draft.revision } as const)
    current.current?.editions.hear(news)
  }, [draft])

  useEffect(() => {
    if (connection === 'online') current.current?.autosave.reconnect()
  }, [connection])

  useEffect(() => {
    // What was refused while the flow was gone is welcome once it is back, whoever brought it.
    if (isDeleted) return () => current.current?.autosave.flush()
  }, [isDeleted])

  return useMemo(() => {
    const flush = () => current.current?.autosave.flush()
    const onPublished = () => current.current?.publishing()
    return {
      isDeleted,
      flush,
      choose: (conflict, choice) => current.current?.autosave.choose(conflict, choice),
      publish: (publication) => publishDraft({ session, api, queries, flush, onPublished }, publication)
    }
  }, [isDeleted, session, api, queries])
}

const DRAFT_GONE = { kind: 'draft gone' } as const
