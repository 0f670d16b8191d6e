import { ActionIcon, Button, UnstyledButton } from '@mantine/core'
import { useSession } from '../../../api/session.ts'
import { IconX } from '../../../design/icons/page-icons.ts'
import { isEmpty, type Selection } from '../selection.ts'
import classes from './bulk.module.css'
import { BULK_ACTIONS, type BulkAction } from './bulk-action.ts'

interface BulkBarProps {
  readonly selection: Selection
  /** Every row that is loaded is chosen, and there are more. */
  readonly mayWiden: boolean
  readonly onWiden: () => void
  readonly onClear: () => void
  readonly onAct: (action: BulkAction) => void
}

/** What can be done with the runs that are chosen. */
export function BulkBar({ selection, mayWiden, onWiden, onClear, onAct }: BulkBarProps) {
  const rights = useSession()?.rights ?? []
  if (isEmpty(selection)) return null
  return (
    <section className={classes.bar} aria-label="Chosen runs">
      <div className={classes.count} role="status">
        {selection.kind === 'all' ? 'All that match' : `${selection.ids.size.toLocaleString()} chosen`}
      </div>
      {mayWiden && (
        <UnstyledButton className={classes.widen} onClick={onWiden}>
          Choose all that match
        </UnstyledButton>
      )}
      <div className={classes.actions}>
        {BULK_ACTIONS.filter(({ right }) => rights.includes(right)).map((action) => (
          <Button
            key={action.name}
            size="xs"
            variant="default"
            leftSection={<action.Icon size={14} aria-hidden />}
            onClick={() => onAct(action)}
          >
            {action.title}
          </Button>
        ))}
      </div>
      <ActionIcon aria-label="Choose none" onClick={onClear}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </section>
  )
}
