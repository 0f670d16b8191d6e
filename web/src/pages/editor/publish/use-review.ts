import { useEffect, useMemo, useState } from 'react'
import { type DraftReview, type Reviewed, useDraftReview } from '../../../api/publishing.ts'
import { statusOf } from '../../../editor/save/save-state.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import { useSaving } from '../session/saving-context.ts'
import { type Readiness, readinessOf } from './readiness.ts'
import { meanwhileInWords } from './review-words.ts'

export interface Review {
  readonly readiness: Readiness
  /** What was worked out last; while that of a newer revision is on its way, it is of the one before. */
  readonly review: DraftReview | undefined
  readonly error: unknown
  /** What happened since it was opened. */
  readonly meanwhile: string | undefined
}

/** What publishing would do, kept true while it is shown: whoever changes the draft, or what is live. */
export function useReview(): Review {
  const { flowId } = useEditor()
  const saving = useSaving()
  const status = useEditorState(({ save }) => (save === undefined ? undefined : statusOf(save)))
  const revision = useEditorState(({ save }) => save?.base.standing.revision ?? 0)
  const liveVersion = useEditorState(({ save, live }) => save?.base.standing.liveVersion ?? live.version)
  const saved = useMemo(() => ({ revision, liveVersion }), [revision, liveVersion])
  const { data: review, error } = useDraftReview(flowId, saved, status === 'clean' && revision > 0)
  // What was typed a moment ago is part of what is looked at.
  useEffect(() => saving.flush(), [saving])
  const meanwhile = useMeanwhile(review)
  return { readiness: readinessOf({ status, saved, review }), review, error, meanwhile }
}

function useMeanwhile(review: DraftReview | undefined): string | undefined {
  const [first, setFirst] = useState<Reviewed | undefined>()
  if (review === undefined) return undefined
  const now = { revision: review.revision, liveVersion: review.live_version }
  if (first === undefined) setFirst(now)
  return first === undefined ? undefined : meanwhileInWords(first, now)
}
