import { Button } from '@mantine/core'
import { useState } from 'react'
import { hasFailedItems, isItem } from '../../api/items.ts'
import { useMay } from '../../api/session.ts'
import type { Run } from '../../api/shapes.ts'
import { useConfirm } from '../../design/confirm.tsx'
import { IconPlayerTrackNext } from '../../design/icons/list-icons.ts'
import { IconEdit, IconPlayerStop, IconRepeat } from '../../design/icons/page-icons.ts'
import { notifyProblem } from '../../design/notify.tsx'
import { PageHeader } from '../../design/page-header.tsx'
import { StateBadge } from '../../design/state-badge.tsx'
import { TestBadge } from '../../design/test-badge.tsx'
import { type Command, useCommands } from '../../shell/commands.ts'
import { shortId } from '../runs/list/short-id.ts'
import { EditReplayDialog } from './edit-replay-dialog.tsx'
import type { RunActions } from './use-run-actions.ts'
import type { RunFlow } from './use-run-flow.ts'

interface RunHeaderProps {
  readonly run: Run
  readonly flow: RunFlow
  readonly actions: RunActions
}

/** One thing that can be done with the run now. */
interface Offer {
  readonly id: string
  readonly title: string
  readonly keys: string
  readonly icon: typeof IconRepeat
  readonly isPending: boolean
  readonly run: () => void
}

export function RunHeader({ run, flow, actions }: RunHeaderProps) {
  const [isEditing, setEditing] = useState(false)
  const offers = useOffers({ run, flow, actions }, () => setEditing(true))
  useCommands(offers.map(({ isPending: _, ...offer }): Command => ({ ...offer, group: 'Run' })))
  return (
    <>
      <PageHeader
        title={`Run ${shortId(run.id)}`}
        beside={
          <>
            <StateBadge state={run.status} />
            {run.test && <TestBadge />}
          </>
        }
        actions={offers.map(({ id, title, icon: Picture, isPending, run: act }) => (
          <Button
            key={id}
            variant="default"
            leftSection={<Picture size={16} aria-hidden />}
            loading={isPending}
            onClick={act}
          >
            {title}
          </Button>
        ))}
      >
        {run.summary === '' ? undefined : <bdi>{run.summary}</bdi>}
      </PageHeader>
      {isEditing && <EditReplayDialog run={run} actions={actions} onClose={() => setEditing(false)} />}
    </>
  )
}

function useOffers({ run, flow, actions }: RunHeaderProps, edit: () => void): Offer[] {
  const confirm = useConfirm()
  const mayWrite = useMay('write')
  const mayTrigger = useMay('trigger')
  const isOpen = run.finished_at === null
  // An item is retried and replayed with its run only.
  const isPart = isItem(run)
  const cancel = async () => {
    const isMeant = await confirm({
      title: 'Cancel this run?',
      body: 'Steps under way are told to stop. What they have already done outside is not undone. A cancelled run can be retried.',
      action: 'Cancel the run',
      isDangerous: true
    })
    if (isMeant) actions.cancel.mutate()
  }
  const offers: (Offer & { readonly isOffered: boolean })[] = [
    {
      id: 'run.cancel',
      title: 'Cancel',
      keys: 'shift+x',
      icon: IconPlayerStop,
      isOffered: isOpen && mayWrite,
      isPending: actions.cancel.isPending,
      run: () => void cancel()
    },
    {
      id: 'run.retry',
      title: retryTitle(run),
      keys: 'shift+r',
      icon: IconPlayerTrackNext,
      isOffered:
        mayWrite && !isPart && (run.status === 'failed' || run.status === 'cancelled' || hasFailedItems(run)),
      isPending: actions.retry.isPending,
      run: () => actions.retry.mutate()
    },
    {
      id: 'run.replay',
      title: 'Replay',
      keys: 'shift+p',
      icon: IconRepeat,
      isOffered: mayTrigger && !isPart && !flow.isGone,
      isPending: actions.replay.isPending,
      run: () => actions.replay.mutate(undefined, { onError: notifyProblem })
    },
    {
      id: 'run.edit',
      title: 'Edit and replay',
      keys: 'shift+e',
      icon: IconEdit,
      isOffered: mayTrigger && !isPart && !flow.isGone,
      isPending: false,
      run: edit
    }
  ]
  return offers.filter(({ isOffered }) => isOffered).map(({ isOffered: _, ...offer }) => offer)
}

function retryTitle(run: Run): string {
  if (hasFailedItems(run)) return 'Retry the items that failed'
  return run.status === 'failed' ? 'Retry from the failed step' : 'Retry'
}
