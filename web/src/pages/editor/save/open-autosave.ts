import type { QueryClient } from '@tanstack/react-query'
import type { Api } from '../../../api/client.ts'
import { problemOf } from '../../../api/problem.ts'
import type { Flow as ReadFlow } from '../../../api/shapes.ts'
import { versionQuery } from '../../../api/versions.ts'
import { notifyDone } from '../../../design/notify.tsx'
import { touchedParts } from '../../../editor/compare/compare-flows.ts'
import { openFlow, saveBody } from '../../../editor/graph/saved-flow.ts'
import { type Autosave, createAutosave, type SaveClock } from '../../../editor/save/autosave.ts'
import { draftOf, type SaveState, statusOf } from '../../../editor/save/save-state.ts'
import type { EditorSession } from '../session/editor-session.ts'
import { KeptDraft } from './kept-draft.ts'

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
  readonly live: ReadFlow
}

/** Connects an open flow with the service, and with what the browser kept of it. `leave` ends it, and loses nothing. */
export function openAutosave(parts: AutosaveParts): { readonly autosave: Autosave; leave(): void } {
  const { session, api, queries, live } = parts
  const { flowId } = session
  const kept = new KeptDraft(flowId, localStorage)
  const draft = kept.read()
  let isLeft = false
  const onChange = (state: SaveState) => {
    session.setSave(state)
    kept.keep(draftOf(state))
    // What is left undone is in the draft, for when the flow is opened again.
    if (isLeft && !isUnderWay(state)) autosave.stop()
  }
  const autosave = createAutosave({
    live: openFlow(live),
    ...(draft === undefined ? {} : { draft }),
    save: async (flow) => {
      const saved = await api.put<ReadFlow>(`flows/${flowId}`, { body: saveBody(flow) })
      queries.setQueryData(['flow', flowId], saved)
      return openFlow(saved)
    },
    read: async () => openFlow(await api.get<ReadFlow>(`flows/${flowId}`)),
    readVersion: async (version) => (await queries.fetchQuery(versionQuery(api, flowId, version))).document,
    problemOf,
    clock: CLOCK,
    onChange,
    onAdopt: (flow, renamed) => {
      const touched = touchedParts(session.state().flow, flow)
      session.adopt(flow, renamed)
      if (touched.length > 0 && !isLeft) notifyDone('Changes from another editor were merged in.')
    }
  })
  if (draft !== undefined) {
    session.adopt(autosave.state.mine)
    notifyDone('Unsaved changes from your last visit are back.')
  }
  const unwatch = session.watch(() => {
    const { flow } = session.state()
    if (flow !== autosave.state.mine) autosave.edit(flow)
  })
  const onHide = () => {
    autosave.flush()
    kept.write()
  }
  window.addEventListener('pagehide', onHide)
  return {
    autosave,
    leave: () => {
      window.removeEventListener('pagehide', onHide)
      unwatch()
      isLeft = true
      onHide()
      onChange(autosave.state)
    }
  }
}

function isUnderWay(state: SaveState): boolean {
  const status = statusOf(state)
  return status === 'saving' || status === 'dirty'
}
