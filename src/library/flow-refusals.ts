import { type Fault, MillraceError } from '../errors.ts'
import type { FlowDocument } from '../flows/document/flow-document.ts'
import { toldFaults } from '../flows/validate/told-faults.ts'
import { unknownContext } from '../flows/validate/validate-flow.ts'
import type { SaveRefusal } from '../store/store.ts'
import type { LiveFlow } from './live-flow.ts'

/** The same words for a flow that is absent and one that the caller may not see: nobody can probe for flows. */
export function flowNotFound(): MillraceError {
  return new MillraceError(
    'flow_not_found',
    'There is no such flow, or this key may not see it. GET /api/v1/flows lists those that a key with the right "read" can see.'
  )
}

/** For a flow whose components cannot be found because the context that it lives in is gone. */
export function withoutContext({ slug, context }: LiveFlow): MillraceError {
  return new MillraceError(
    'flow_context_gone',
    `Flow "${slug}" lives in the context "${context}", which does not exist. Load the plugin that makes it, or move the flow to another context.`
  )
}

export function flowInvalid(faults: readonly Fault[]): MillraceError {
  const [first, ...others] = faults
  const more = others.length === 0 ? '' : ` And ${others.length} more, see errors.`
  return new MillraceError('flow_invalid', `${first!.message}${more}`, { errors: toldFaults(faults) })
}

export function slugTaken(slug: string): MillraceError {
  return new MillraceError('slug_taken', `Another flow has the slug or alias "${slug}". Choose another one.`)
}

export function aliasNotFound({ id }: LiveFlow, slug: string): MillraceError {
  return new MillraceError(
    'alias_not_found',
    `The flow has no alias "${slug}". GET /api/v1/flows/${id}/aliases lists them.`
  )
}

export function slugTakenMeanwhile(slug: string): MillraceError {
  return new MillraceError(
    'slug_taken',
    `Another flow has taken the slug "${slug}" since this one was deleted. Give that one another slug, or delete it, and try again.`
  )
}

export function flowConflict(live: LiveFlow, baseVersion: number): MillraceError {
  return new MillraceError(
    'flow_conflict',
    `Flow "${live.slug}" is at version ${live.version}, and what was sent was edited from version ${baseVersion}. ` +
      'Read the flow again, bring your changes over and save with its version.',
    { members: { current_version: live.version, sent_version: baseVersion } }
  )
}

export function versionNotFound({ id, slug }: LiveFlow, version: number): MillraceError {
  return new MillraceError(
    'version_not_found',
    `Flow "${slug}" has no version ${version}. GET /api/v1/flows/${id}/versions lists them.`
  )
}

/** Why the store has refused a document. */
export function refusalOf(because: SaveRefusal, { slug, context }: FlowDocument): MillraceError {
  switch (because) {
    case 'context_gone':
      return flowInvalid([unknownContext(context)])
    case 'slug_taken':
      return slugTaken(slug)
    case 'draft_stale':
      return draftSavedMeanwhile(slug)
    case 'stale':
    case 'gone':
      return flowNotFound()
  }
}

function draftSavedMeanwhile(slug: string): MillraceError {
  return new MillraceError(
    'draft_conflict',
    `The draft of flow "${slug}" was saved, published or discarded in the same moment. Look at what it is now, and publish again.`
  )
}
