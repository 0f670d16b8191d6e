import type { QueryClient } from '@tanstack/react-query'
import type { Api } from '../../../api/client.ts'
import { problemOf } from '../../../api/problem.ts'
import type { Flow } from '../../../api/shapes.ts'
import type { EditorSession } from '../session/editor-session.ts'
import type { Publication, Published } from '../session/saving-context.ts'
import { whenSaved } from './when-saved.ts'

interface PublishParts {
  readonly session: EditorSession
  readonly api: Api
  readonly queries: QueryClient
  flush(): void
  onPublished(): void
}

/** Makes live what was looked at: the draft at that very revision, in the place of the version that was live then. */
export async function publishDraft(parts: PublishParts, publication: Publication): Promise<Published> {
  const { session, api, queries } = parts
  const { flowId } = session
  const { name, note, reviewed, acceptsFailing } = publication
  const status = await whenSaved(session, parts)
  const standing = session.state().save?.base.standing
  if (status === undefined || standing === undefined) return { kind: 'nothing to publish' }
  if (status !== 'clean') return { kind: 'not saved', status }
  const { revision, liveVersion } = standing
  if (revision === 0) return { kind: 'nothing to publish' }
  // Who leaves a field by the button that publishes has changed it in that moment.
  if (revision !== reviewed.revision || liveVersion !== reviewed.liveVersion)
    return { kind: 'changed meanwhile' }
  try {
    const body = {
      ...{ revision, live_version: liveVersion },
      ...(name && { name }),
      ...(note && { note }),
      ...(acceptsFailing === true && { accept_failing: true })
    }
    const flow = await api.post<Flow>(`flows/${flowId}/publish`, { body })
    parts.onPublished()
    queries.setQueryData(['flow', flowId], flow)
    queries.setQueryData(['draft', flowId], null)
    return { kind: 'published', flow }
  } catch (error) {
    const problem = problemOf(error)
    if (!CONFLICTS.includes(problem.code)) return { kind: 'refused', problem }
    void queries.invalidateQueries({ queryKey: ['draft', flowId] })
    void queries.invalidateQueries({ queryKey: ['flow', flowId] })
    return { kind: 'changed meanwhile' }
  }
}

export type PublishDraft = typeof publishDraft

const CONFLICTS = ['draft_conflict', 'flow_conflict', 'draft_not_found']
