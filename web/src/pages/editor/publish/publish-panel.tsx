import { Button } from '@mantine/core'
import { EmptyState } from '../../../design/empty-state.tsx'
import { IconCloudCheck } from '../../../design/icons/editor-icons.ts'
import { LoadingState } from '../../../design/loading-state.tsx'
import { ProblemNote } from '../../../design/problem-note.tsx'
import { useEditor, useEditorState } from '../editor-context.ts'
import { CallerList } from './caller-list.tsx'
import { ChangeList } from './change-list.tsx'
import { ExpectationsPart } from './expectations-part.tsx'
import { FaultList } from './fault-list.tsx'
import classes from './publish.module.css'
import { PublishForm } from './publish-form.tsx'
import { RehearsalPart } from './rehearsal-part.tsx'
import { openRunsInWords, whatIsReplacedInWords } from './review-words.ts'
import { useKeysThatNeverCame } from './use-keys-that-never-came.ts'
import { useMarkedCanvas } from './use-marked-canvas.ts'
import { type Review, useReview } from './use-review.ts'

/** What publishing the draft does, before somebody does it. */
export function PublishPanel() {
  const editor = useEditor()
  const live = useEditorState((state) => state.live)
  const shown = useReview()
  const isNothing = shown.readiness.kind === 'nothing to publish'
  const canvas = useMarkedCanvas(!isNothing)
  if (isNothing) {
    return (
      <EmptyState icon={IconCloudCheck} title="Nothing to publish" help="build-flows#drafts">
        Version {live.version} is live, and it is what you see.
      </EmptyState>
    )
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape leaves the panel, wherever in it somebody is.
    <div
      className={classes.panel}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        editor.closePanel()
      }}
    >
      <p className={classes.heading}>
        {whatIsReplacedInWords(live)}
        {!canvas.isShown && (
          <Button size="compact-xs" variant="light" onClick={canvas.show}>
            Show on the canvas
          </Button>
        )}
      </p>
      <ReviewView {...shown} />
      <ExpectationsPart readiness={shown.readiness} />
      <RehearsalPart readiness={shown.readiness} />
      <PublishForm readiness={shown.readiness} />
    </div>
  )
}

function ReviewView({ review, error, meanwhile }: Review) {
  const never = useKeysThatNeverCame()
  if (review === undefined) {
    return error === null ? <LoadingState rows={4} height={28} /> : <ProblemNote error={error} />
  }
  const warnings = [...review.warnings, ...never]
  const runs = openRunsInWords(review.open_runs)
  return (
    <>
      {meanwhile !== undefined && (
        <p className={classes.changedAlert} role="alert">
          {meanwhile}
        </p>
      )}
      <FaultList title="To be fixed first" faults={review.errors} tone="wrong" />
      <CallerList callers={review.callers} />
      <FaultList title="Probably unintended" faults={warnings} tone="warning" />
      {runs !== undefined && <p className={classes.runs}>{runs}</p>}
      <ChangeList review={review} />
    </>
  )
}
