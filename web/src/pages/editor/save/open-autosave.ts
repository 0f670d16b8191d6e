import type { QueryClient } from '@tanstack/react-query'
import type { Api } from '../../../api/client.ts'
import { type ReadDraft, readDraft } from '../../../api/drafts.ts'
import { problemOf } from '../../../api/problem.ts'
import type { Flow as ReadFlow } from '../../../api/shapes.ts'
import { versionQuery } from '../../../api/versions.ts'
import { notifyDone } from '../../../design/notify.tsx'
import { touchedParts } from '../../../editor/compare/compare-flows.ts'
import { equalJson } from '../../../editor/graph/equal-json.ts'
import { openEdited } from '../../../editor/graph/read-draft.ts'
import { type Autosave, createAutosave, type SaveClock } from '../../../editor/save/autosave.ts'
import { openEdition } from '../../../editor/save/open-edition.ts'
import { type SaveState, statusOf, type Unsaved, unsavedOf } from '../../../editor/save/save-state.ts'
import { type DraftCalls, ServerDraft } from '../../../editor/save/server-draft.ts'
import type { EditorSession } from '../session/editor-session.ts'
import type { LocalBackup } from './local-backup.ts'

const CLOCK: SaveClock = {
  now: () => performance.now(),
  startTimer: (ms, then) => {
    const timer = window.setTimeout(then, ms)
    return { stop: () => window.clearTimeout(timer) }
  }
}

export interface AutosaveParts {
  readonly session: EditorSession
  readonly api: Api
  readonly queries: QueryClient
  /** As they were read when the session began. */
  readonly flow: ReadFlow
  readonly draft: ReadDraft | null
  readonly backup: LocalBackup
  /** What was kept when the flow was last open here. */
  readonly left: Unsaved | undefined
}

export interface OpenAutosave {
  readonly autosave: Autosave
  readonly serverDraft: ServerDraft
  /** What is published here comes back as the service keeps it, which is nobody else's work. */
  publishing(): void
  /** Ends it, and loses nothing. */
  leave(): void
}

/** Connects an open flow with its draft at the service, and with what the browser kept of it. */
export function openAutosave(parts: AutosaveParts): OpenAutosave {
  const { session, backup, left } = parts
  const opened = openEdition(openEdited(parts.flow, parts.draft), left?.base)
  const serverDraft = new ServerDraft(callsOf(parts), opened, (edition) => autosave.announce(edition))
  let isLeft = false
  let isPublishing = false
  const onChange = (state: SaveState) => {
    session.setSave(state)
    if (state.base.standing.revision === 0) isPublishing = false
    backup.keep(unsavedOf(state))
    // What is left undone is kept, for when the flow is opened again.
    if (isLeft && !isUnderWay(state)) autosave.stop()
  }
  const autosave = createAutosave({
    live: opened,
    ...(left === undefined ? {} : { left }),
    save: serverDraft.save,
    read: serverDraft.read,
    problemOf,
    clock: CLOCK,
    onChange,
    onAdopt: (flow, renamed) => {
      const touched = touchedParts(session.state().flow, flow)
      session.adopt(flow, renamed)
      if (touched.length > 0 && !isLeft && !isPublishing)
        notifyDone('Changes from another editor were merged in.')
    }
  })
  if (left !== undefined) {
    session.adopt(autosave.state.mine)
    notifyDone('Unsaved changes from your last visit are back.')
  }
  if (parts.draft?.behind === true) serverDraft.receive({ kind: 'unknown' })
  const { flow: drawn } = session.state()
  // What was edited before this came.
  if (!equalJson(drawn, autosave.state.mine)) autosave.edit(drawn)
  const unwatch = session.watch(() => {
    const { flow } = session.state()
    if (flow !== autosave.state.mine) autosave.edit(flow)
  })
  const onHide = () => {
    autosave.flush()
    backup.write()
  }
  window.addEventListener('pagehide', onHide)
  return {
    autosave,
    serverDraft,
    publishing: () => {
      isPublishing = true
    },
    leave: () => {
      window.removeEventListener('pagehide', onHide)
      unwatch()
      isLeft = true
      onHide()
      onChange(autosave.state)
    }
  }
}

/** What is saved and read is remembered for the rest of the page, too. */
function callsOf({ session, api, queries }: AutosaveParts): DraftCalls {
  const { flowId } = session
  const remember = <T>(kind: 'flow' | 'draft', answer: T): T => {
    queries.setQueryData([kind, flowId], answer)
    return answer
  }
  return {
    readDraft: async () => remember('draft', await readDraft(api, flowId)),
    readFlow: async () => remember('flow', await api.get<ReadFlow>(`flows/${flowId}`)),
    readVersion: async (version) => (await queries.fetchQuery(versionQuery(api, flowId, version))).document,
    saveDraft: async (body) => remember('draft', await api.put<ReadDraft>(`flows/${flowId}/draft`, { body }))
  }
}

function isUnderWay(state: SaveState): boolean {
  const status = statusOf(state)
  return status === 'saving' || status === 'dirty'
}
