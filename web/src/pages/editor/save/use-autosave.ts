import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useApi } from '../../../api/api-context.ts'
import type { ReadDraft } from '../../../api/drafts.ts'
import { useConnection } from '../../../api/live.ts'
import type { Flow as ReadFlow } from '../../../api/shapes.ts'
import { openEdited } from '../../../editor/graph/read-draft.ts'
import { openFlow } from '../../../editor/graph/saved-flow.ts'
import { openEdition } from '../../../editor/save/open-edition.ts'
import type { EditorSession } from '../session/editor-session.ts'
import type { Saving } from '../session/saving-context.ts'
import { backUpEarlyWork } from './early-backup.ts'
import { LocalBackup } from './local-backup.ts'
import type { AutosaveParts, OpenAutosave } from './open-autosave.ts'
import type { PublishDraft } from './publish-draft.ts'

/** What the service has. */
interface ServiceFlow {
  readonly flow: ReadFlow
  readonly draft: ReadDraft | null
  readonly isDeleted: boolean
}

interface Tools {
  readonly openAutosave: (parts: AutosaveParts) => OpenAutosave
  readonly publishDraft: PublishDraft
}

type LoadAutosave = () => Promise<Tools>

/**
 * Saves the draft as it is edited, and takes over what others save. What is live stays as it is. What that takes is
 * loaded after the canvas; until then, work is kept in the browser.
 */
export function useAutosave(
  session: EditorSession,
  { flow, draft, isDeleted }: ServiceFlow,
  load: LoadAutosave
): Saving {
  const api = useApi()
  const queries = useQueryClient()
  const connection = useConnection()
  const current = useRef<OpenAutosave | undefined>(undefined)
  const [opened, setOpened] = useState<OpenAutosave | undefined>()
  const [first] = useState({ flow, draft })

  useEffect(() => {
    if (session.state().isReadOnly) return
    const backup = new LocalBackup(session.flowId, localStorage)
    const left = backup.read()
    const endEarly = backUpEarlyWork(
      session,
      openEdition(openEdited(first.flow, first.draft), undefined),
      backup
    )
    let isDisposed = false
    const begin = async () => {
      // Whoever draws the rest of that part tells that it cannot be loaded.
      const part = await load().catch(() => undefined)
      if (isDisposed || part === undefined) return
      endEarly()
      current.current = part.openAutosave({ session, api, queries, backup, left, ...first })
      setOpened(current.current)
    }
    void begin()
    return () => {
      isDisposed = true
      endEarly()
      if (current.current === undefined) return backup.write()
      current.current.leave()
      current.current = undefined
    }
  }, [session, api, queries, first, load])

  useEffect(() => {
    const { version, document } = openFlow(flow)
    session.setLive({ version, document })
    if (session.state().isReadOnly) session.adopt(document)
    else opened?.serverDraft.receive({ kind: 'flow saved', version })
  }, [session, flow, opened])

  useEffect(() => {
    const news = draft === null ? DRAFT_GONE : ({ kind: 'draft saved', revision: draft.revision } as const)
    opened?.serverDraft.receive(news)
  }, [draft, opened])

  useEffect(() => {
    if (connection === 'online') opened?.autosave.reconnect()
  }, [connection, opened])

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
      publish: async (publication) => {
        const { publishDraft } = await load()
        return publishDraft({ session, api, queries, flush, onPublished }, publication)
      }
    }
  }, [isDeleted, session, api, queries, load])
}

const DRAFT_GONE = { kind: 'draft gone' } as const
