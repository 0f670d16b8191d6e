import { Button } from '@mantine/core'
import { type KeptSummary, useDeleteKept } from '../../../api/kept.ts'
import { useMay } from '../../../api/session.ts'
import { useConfirm } from '../../../design/confirm.tsx'
import { notifyDone, notifyProblem } from '../../../design/notify.tsx'
import { RelativeTime } from '../../../design/relative-time.tsx'
import classes from './kept-tab.module.css'

interface KeptRowProps {
  readonly context: string
  readonly value: KeptSummary
  readonly onOpen: () => void
}

/** One value: its key, how it begins, and its times. */
export function KeptRow({ context, value, onOpen }: KeptRowProps) {
  const mayWrite = useMay('write')
  const remove = useRemove(context, value.key)
  const isWhole = value.value_start.length === value.value_length
  return (
    <li className={classes.row}>
      <div className={classes.summary}>
        <code className={classes.key}>{value.key}</code>
        <code className={classes.value}>
          {value.value_start}
          {!isWhole && '…'}
        </code>
        <span className={classes.times}>
          Changed <RelativeTime at={value.updated_at} />
          {value.expires_at !== null && (
            <>
              , expires <RelativeTime at={value.expires_at} />
            </>
          )}
        </span>
      </div>
      <div className={classes.actions}>
        <Button variant="default" size="xs" aria-label={`Open ${value.key}`} onClick={onOpen}>
          {mayWrite ? 'Change' : 'Show'}
        </Button>
        {mayWrite && (
          <Button variant="default" size="xs" c="red" aria-label={`Delete ${value.key}`} onClick={remove}>
            Delete
          </Button>
        )}
      </div>
    </li>
  )
}

function useRemove(context: string, key: string): () => void {
  const confirm = useConfirm()
  const remove = useDeleteKept(context)
  const ask = async () => {
    const isSure = await confirm({
      title: `Delete “${key}” of ${context}?`,
      body: 'Flows that read it find nothing from then on, and counts start again. This cannot be undone.',
      action: 'Delete',
      isDangerous: true
    })
    if (!isSure) return
    await remove.mutateAsync(key).then(() => notifyDone(`“${key}” was deleted.`), notifyProblem)
  }
  return () => void ask()
}
