import { MillraceError } from '../errors.ts'
import type { StoredDraft } from '../store/drafts.ts'
import type { LiveFlow } from './live-flow.ts'

export function draftNotFound({ id, slug }: LiveFlow): MillraceError {
  return new MillraceError(
    'draft_not_found',
    `Flow "${slug}" has no draft: what is live is all there is. PUT /api/v1/flows/${id}/draft begins one.`
  )
}

export function keptDraftNotFound({ id, slug }: LiveFlow, number: number): MillraceError {
  return new MillraceError(
    'draft_not_found',
    `No draft ${number} of flow "${slug}" is kept. GET /api/v1/flows/${id}/draft/kept lists those that are.`
  )
}

export function draftConflict(
  { slug }: LiveFlow,
  { revision }: { readonly revision: number },
  draft: Pick<StoredDraft, 'revision'> | undefined
): MillraceError {
  return new MillraceError('draft_conflict', `${standing(slug, revision, draft)} ${REMEDY}`, {
    members: { current_revision: draft?.revision ?? null, sent_revision: revision }
  })
}

const REMEDY = 'Read the draft again, bring your changes over and send them with its revision.'

function standing(slug: string, revision: number, draft: { revision: number } | undefined): string {
  if (draft === undefined) {
    return `The draft of flow "${slug}" was published or discarded since revision ${revision}: there is none now, which is revision 0.`
  }
  const sent = revision === 0 ? 'no revision was sent' : `what was sent is of revision ${revision}`
  return `The draft of flow "${slug}" is at revision ${draft.revision}, and ${sent}.`
}

export function unknownBase({ slug, version }: LiveFlow, baseVersion: number): MillraceError {
  const message = `"base_version" is ${baseVersion}, and flow "${slug}" is at version ${version}. Send the version that the draft is based on, or leave it out.`
  return new MillraceError('invalid_request', message, {
    errors: [{ code: 'unknown_version', path: '/base_version', message }]
  })
}

export function nothingToUndo({ id, slug, version }: LiveFlow): MillraceError {
  return new MillraceError(
    'nothing_to_undo',
    `Version ${version} of flow "${slug}", which is live, was not published from a draft. GET /api/v1/flows/${id}/versions lists the versions; one of them can be restored.`
  )
}
