import { Button } from '@mantine/core'
import { useDeletedConnections, useUndeleteConnection } from '../../api/connections.ts'
import { notifyDone, notifyProblem } from '../../design/notify.tsx'
import { RelativeTime } from '../../design/relative-time.tsx'
import classes from './connections-page.module.css'

/** What was deleted and can be brought back. */
export function DeletedConnections() {
  const deleted = useDeletedConnections()
  const undelete = useUndeleteConnection()
  if (deleted.length === 0) return null
  return (
    <details className={classes.deleted}>
      <summary>Deleted in the last 30 days ({deleted.length})</summary>
      <ul aria-label="Deleted connections">
        {deleted.map(({ id, name, context, deleted_at, deleted_by }) => (
          <li key={id}>
            <span>
              <strong>{name}</strong> <span className={classes.secondary}>of {context}</span>
            </span>
            <span className={classes.secondary}>
              {deleted_by !== null && `${deleted_by}, `}
              <RelativeTime at={deleted_at} />
            </span>
            <Button
              size="compact-sm"
              variant="default"
              loading={undelete.isPending && undelete.variables === id}
              onClick={() =>
                undelete.mutate(id, {
                  onSuccess: () => notifyDone(`“${name}” of ${context} is back.`),
                  onError: notifyProblem
                })
              }
            >
              Bring back
            </Button>
          </li>
        ))}
      </ul>
    </details>
  )
}
