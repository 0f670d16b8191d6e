import type { DraftReview, Reviewed } from '../../../api/publishing.ts'
import type { SaveStatus } from '../../../editor/save/save-state.ts'

/** Whether what is shown can be published, and what is in the way. */
export type Readiness =
  | { readonly kind: 'ready'; readonly reviewed: Reviewed }
  /** Its last change is on its way to the service, or what it comes to is being worked out. */
  | { readonly kind: 'reviewing' }
  | { readonly kind: 'nothing to publish' }
  | { readonly kind: 'not saved'; readonly status: 'offline' | 'conflict' | 'invalid' }
  | { readonly kind: 'faulty'; readonly count: number }

interface ReadinessFacts {
  readonly status: SaveStatus | undefined
  /** The draft as it is saved; revision 0 where there is none. */
  readonly saved: Reviewed
  readonly review: DraftReview | undefined
}

/** Only what is on the screen is published: a review of another revision, or of another live version, does not do. */
export function readinessOf({ status, saved, review }: ReadinessFacts): Readiness {
  if (status === 'offline' || status === 'conflict' || status === 'invalid')
    return { kind: 'not saved', status }
  if (status !== 'clean') return { kind: 'reviewing' }
  if (saved.revision === 0) return { kind: 'nothing to publish' }
  if (review === undefined || !isOf(review, saved)) return { kind: 'reviewing' }
  if (review.errors.length > 0) return { kind: 'faulty', count: review.errors.length }
  return review.summary === null ? { kind: 'nothing to publish' } : { kind: 'ready', reviewed: saved }
}

function isOf({ revision, live_version }: DraftReview, saved: Reviewed): boolean {
  return revision === saved.revision && live_version === saved.liveVersion
}
