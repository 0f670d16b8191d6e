import { Button, Group, Loader, Modal, Stack } from '@mantine/core'
import { useState } from 'react'
import type { RunQuestion } from '../../../api/runs.ts'
import { ProblemNote } from '../../../design/problem-note.tsx'
import type { RunFeed } from '../feed/run-feed.ts'
import type { Selection } from '../selection.ts'
import classes from './bulk.module.css'
import { type BulkAction, runsInWords } from './bulk-action.ts'
import { BulkEdit, NEW_DRAFT, readDraft } from './bulk-edit.tsx'
import { BulkProgressView } from './bulk-progress.tsx'
import { useBulkRun } from './use-bulk-run.ts'
import { type BulkTargets, useBulkTargets } from './use-bulk-targets.ts'

interface BulkDialogProps {
  readonly action: BulkAction
  readonly selection: Selection
  readonly question: RunQuestion
  readonly feed: RunFeed
  /** `isDone`: it was started, so that what was chosen has served. */
  readonly onClose: (isDone: boolean) => void
}

/** Asks, does it with every chosen run, and tells what came of each. */
export function BulkDialog({ action, selection, question, feed, onClose }: BulkDialogProps) {
  const targets = useBulkTargets({ selection, question, feed })
  const bulk = useBulkRun()
  const [draft, setDraft] = useState(NEW_DRAFT)
  const fitting = targets.runs.filter(({ status }) => action.mayTake(status))
  const edit = action.name === 'edit' ? readDraft(draft) : undefined
  const { progress } = bulk
  const isUnderWay = progress !== undefined && !progress.isFinished
  const begin = () =>
    bulk.start(
      fitting.map(({ id }) => id),
      action.name,
      edit
    )
  return (
    <Modal
      opened
      onClose={() => onClose(progress !== undefined)}
      title={`${action.title}: ${runsInWords(progress?.total ?? fitting.length)}`}
      size={action.name === 'edit' || progress !== undefined ? 'xl' : 'lg'}
      closeOnClickOutside={!isUnderWay}
      closeOnEscape={!isUnderWay}
      withCloseButton={!isUnderWay}
    >
      {progress === undefined ? (
        <Stack>
          <Plan action={action} targets={targets} fitting={fitting.length} />
          {action.name === 'edit' && <BulkEdit draft={draft} onChange={setDraft} sample={fitting[0]?.id} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => onClose(false)}>
              Back
            </Button>
            <Button
              color={action.name === 'cancel' ? 'red' : 'mill'}
              disabled={
                targets.isSearching || fitting.length === 0 || (action.name === 'edit' && edit === undefined)
              }
              onClick={begin}
              data-autofocus={action.name !== 'edit' || undefined}
            >
              {action.title} {runsInWords(fitting.length)}
            </Button>
          </Group>
        </Stack>
      ) : (
        <BulkProgressView
          action={action}
          progress={progress}
          onStop={bulk.stop}
          onClose={() => onClose(true)}
          onAgain={(ids) => bulk.start(ids, action.name, edit)}
        />
      )}
    </Modal>
  )
}

interface PlanProps {
  readonly action: BulkAction
  readonly targets: BulkTargets
  readonly fitting: number
}

function Plan({ action, targets, fitting }: PlanProps) {
  const leftOut = targets.runs.length - fitting
  if (targets.error !== null) return <ProblemNote error={targets.error} />
  if (targets.isSearching) {
    return (
      <Group gap="sm" role="status">
        <Loader size="xs" />
        Looking for runs that match: {targets.runs.length.toLocaleString()} so far
      </Group>
    )
  }
  return (
    <div className={classes.plan}>
      {fitting > 0 && <p>{sentence(action.about(runsInWords(fitting)))}</p>}
      {leftOut > 0 && (
        <p>
          {sentence(runsInWords(leftOut))} {leftOut === 1 ? 'is' : 'are'} left out: {action.notFor}.
        </p>
      )}
    </div>
  )
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
