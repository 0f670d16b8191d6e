import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { useBin } from '../../api/bin.ts'
import { useMay } from '../../api/session.ts'
import type { DeletedFlow } from '../../api/shapes.ts'
import { useConfirm } from '../../design/confirm.tsx'
import { EmptyState } from '../../design/empty-state.tsx'
import { ErrorState } from '../../design/error-state.tsx'
import { IconTrash } from '../../design/icons/page-icons.ts'
import { LoadingState } from '../../design/loading-state.tsx'
import { Page } from '../../design/page.tsx'
import { PageHeader } from '../../design/page-header.tsx'
import { RelativeTime } from '../../design/relative-time.tsx'
import { type FlowActions, useFlowActions } from '../../flow-parts/use-flow-actions.ts'
import classes from './bin-page.module.css'

/** The flows that were deleted, until they go for good. */
export function BinPage() {
  const bin = useBin()
  const mayWrite = useMay('write')
  const actions = useFlowActions()
  const purge = usePurge(actions)
  const flows = bin.data ?? []
  return (
    <Page>
      <PageHeader
        title="Bin"
        actions={
          <>
            <Button component={Link} to="/flows" variant="default">
              All flows
            </Button>
            {mayWrite && flows.length > 0 && (
              <Button color="red" onClick={() => void purge(flows)}>
                Empty the bin
              </Button>
            )}
          </>
        }
      >
        Deleted flows stay here for 30 days. Their addresses answer 404; what they had accepted has finished.
      </PageHeader>
      {bin.isPending && <LoadingState rows={3} height={64} />}
      {bin.error !== null && bin.data === undefined && (
        <ErrorState error={bin.error} onRetry={() => void bin.refetch()} />
      )}
      {bin.data?.length === 0 && (
        <EmptyState
          icon={IconTrash}
          title="The bin is empty"
          help="manage-flows#deleted-flows-tags-and-many-flows-at-once"
        >
          A flow that you delete comes here with its versions, its draft and its old addresses. Restore brings
          it back as it was.
        </EmptyState>
      )}
      {flows.length > 0 && (
        <ul className={classes.list} aria-label="Deleted flows">
          {flows.map((flow) => (
            <DeletedRow
              key={flow.id}
              flow={flow}
              {...(mayWrite && {
                onRestore: () => void actions.restore([flow]),
                onPurge: () => void purge([flow])
              })}
            />
          ))}
        </ul>
      )}
    </Page>
  )
}

function usePurge(actions: FlowActions): (flows: readonly DeletedFlow[]) => Promise<void> {
  const confirm = useConfirm()
  return async (flows) => {
    const [first] = flows
    const isOne = flows.length === 1
    const isMeant = await confirm({
      title: isOne ? `Delete ${first!.name} permanently?` : `Delete ${flows.length} flows permanently?`,
      body: `${isOne ? 'Its' : 'Their'} versions, draft and old addresses go, and runs that wait are cancelled. This cannot be undone. Runs that have ended stay in the run list.`,
      action: isOne ? 'Delete permanently' : 'Empty the bin',
      isDangerous: true
    })
    if (isMeant) await actions.purge(flows)
  }
}

interface DeletedRowProps {
  readonly flow: DeletedFlow
  readonly onRestore?: () => void
  readonly onPurge?: () => void
}

function DeletedRow({ flow, onRestore, onPurge }: DeletedRowProps) {
  return (
    <li className={classes.row}>
      <div className={classes.summary}>
        <span className={classes.name}>{flow.name}</span>
        <div className={classes.about}>
          <code>{flow.slug}</code>
          <span>{flow.context}</span>
        </div>
      </div>
      <div className={classes.secondary}>
        <span>
          Deleted <RelativeTime at={flow.deleted_at} />
          {flow.deleted_by !== null && ` by ${flow.deleted_by}`}
        </span>
        <span>
          Gone for good <RelativeTime at={flow.deleted_until} />
        </span>
      </div>
      {onRestore && onPurge && (
        <div className={classes.actions}>
          <Button size="xs" variant="default" aria-label={`Restore ${flow.name}`} onClick={onRestore}>
            Restore
          </Button>
          <Button
            size="xs"
            variant="subtle"
            color="red"
            aria-label={`Delete permanently: ${flow.name}`}
            onClick={onPurge}
          >
            Delete permanently
          </Button>
        </div>
      )}
    </li>
  )
}
